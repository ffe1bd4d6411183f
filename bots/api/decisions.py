"""`/games/{id}/decisions`: how the bots of a finished game came to their moves."""

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from bots.decisions import decision_list
from bots.models import Decision
from games.api.game_frame import GameApiView
from games.api.operations import operation
from games.api.pagination import Page
from games.api.problems import Problem


class DecisionItem(msgspec.Struct, frozen=True):
    """How a bot came to one move; `seq` is the move's first event.

    The brain was shown its seat's view `at_version`, and took all its chance from `seed` (hex).
    `iterations` are those really done within `budget`, 0 for a brain that does not search; `exact`
    says that the position was solved. `trouble` is why a safe move was made in place of the
    brain's own (raised, overtime, illegal, lost), null if there was none.
    """

    seq: int
    at_version: int
    seat: int
    brain: str
    brain_version: int
    seed: str
    budget: int
    iterations: int
    exact: bool
    trouble: str | None


class DecisionsView(GameApiView):
    """`/games/{id}/decisions`"""

    @operation(
        "game_decisions",
        access="optional",
        scope="games:read",
        answer=Page[DecisionItem],
        codes=("game.not_found", "game.not_finished"),
    )
    def get(self, request: Request, game_id: str) -> Response:
        """What the bots of a finished game decided, all of it, in the order of the moves."""
        head = self.visible(game_id, charge=False)
        if head.game.status != "finished":
            raise Problem("game.not_finished")
        return self.answer(Page([_item(decision) for decision in decision_list(head.id)], None))


def _item(decision: Decision) -> DecisionItem:
    return DecisionItem(
        seq=decision.seq,
        at_version=decision.at_version,
        seat=decision.seat,
        brain=decision.brain,
        brain_version=decision.brain_version,
        seed=bytes(decision.seed).hex(),
        budget=decision.budget,
        iterations=decision.iterations,
        exact=decision.exact,
        trouble=decision.trouble or None,
    )
