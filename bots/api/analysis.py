"""`/games/{id}/analysis`: a finished game judged move by move."""

from typing import Annotated
from uuid import UUID

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from bots.analysis import analyser
from bots.analysis.dispatch import analysis_begin
from bots.analysis.jobs import analysis_get, analysis_report
from bots.analysis.report import AnalysisResult
from bots.brains.search.sizes import ON_BITS, ON_RULES
from bots.models import Analysis
from games.api.game_frame import GameApiView
from games.api.operations import operation
from games.api.problems import Problem
from games.store.log import Head

StatusOut = Annotated[
    str, msgspec.Meta(extra_json_schema={"enum": ["waiting", "running", "done", "failed"]})
]
POLL_SECONDS = "1"


class Analyser(msgspec.Struct, frozen=True):
    """What judged: everything follows from the game and from this.

    Behind each move at most so many deals are played on by search, or by roll-outs through the
    rules. The chance of decision n is that of Python's `Random` with `<name>:<version>:<n>`. A loss
    counts above `sure` standard errors.
    """

    name: str
    version: int
    seed: str
    tree_deals: int
    roll_out_deals: int
    sure: float


class AnalysisProgress(msgspec.Struct, frozen=True):
    """How many moves are judged, of how many (null until somebody has begun)."""

    done: int
    of: int | None


class AnalysisView(msgspec.Struct, frozen=True):
    """An analysis and how far it is; `result` is there when it is done.

    A failed one is begun again by whoever asks for it again.
    """

    game: UUID
    status: StatusOut
    progress: AnalysisProgress
    analyser: Analyser
    result: AnalysisResult | None


class GameAnalysisView(GameApiView):
    """`/games/{id}/analysis`"""

    @operation(
        "game_analysis_ask",
        scope="games:play",
        bucket="analyses",
        answer=AnalysisView,
        also={202: "It is not done yet; the same form."},
        codes=(
            *("game.not_found", "game.not_finished"),
            *("analysis.too_many", "analysis.queue_full"),
        ),
    )
    def post(self, request: Request, game_id: str) -> Response:
        """Have a finished game analysed: which moves lost something, and what was luck.

        200 if it is there, else 202. There is one analysis of a game, whoever asks. It is made
        after the turns of bots and takes some seconds at least: read its progress with GET.
        """
        head = self._over(game_id)
        found = analysis_begin(game_id=head.id, player_id=self.caller.player_id)
        return self._shown(found, 200 if found.status == Analysis.Status.DONE else 202)

    @operation(
        "game_analysis_get",
        access="optional",
        scope="games:read",
        answer=AnalysisView,
        codes=("game.not_found", "game.not_finished", "analysis.not_found"),
    )
    def get(self, request: Request, game_id: str) -> Response:
        """The analysis of a finished game, as far as it is; moves are told when all are judged."""
        found = analysis_get(self._over(game_id).id)
        if found is None:
            raise Problem("analysis.not_found")
        return self._shown(found, 200)

    def _over(self, game_id: str) -> Head:
        head = self.visible(game_id, charge=False)
        if head.game.status != "finished":
            raise Problem("game.not_finished")
        return head

    def _shown(self, analysis: Analysis, status: int) -> Response:
        view = AnalysisView(
            game=analysis.game_id,
            status=analysis.status,
            progress=AnalysisProgress(analysis.done, analysis.of),
            analyser=_analyser(),
            result=analysis_report(analysis),
        )
        pending = analysis.status in (Analysis.Status.WAITING, Analysis.Status.RUNNING)
        return self.answer(view, status, {"Retry-After": POLL_SECONDS} if pending else None)


def _analyser() -> Analyser:
    return Analyser(
        name=analyser.NAME,
        version=analyser.VERSION,
        seed=f"{analyser.NAME}:{analyser.VERSION}:<number>",
        tree_deals=ON_BITS[0],
        roll_out_deals=ON_RULES[0],
        sure=analyser.SURE,
    )
