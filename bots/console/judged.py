"""An analysis in words, beside the moves."""

from collections.abc import Iterator
from typing import Any

import msgspec

from bots.analysis.jobs import analysis_get, analysis_report
from bots.analysis.report import AnalysedMove, AnalysisResult, JudgedMove, SeatAnalysis
from bots.analysis.work import analysis_of
from bots.console.records import Told
from bots.console.screen import Screen
from games.rules.events import Seat


def report_for(told: Told) -> AnalysisResult:
    """The stored analysis of a game, or one made on the spot. Raises ValueError if it is not over.

    That takes some seconds.
    """
    stored = analysis_get(told.game_id) if told.game_id is not None else None
    report = analysis_report(stored) if stored is not None else None
    return analysis_of(told.events) if report is None else report


class Judged:
    """Says what the moves of all seats lost, or of one `seat` only."""

    def __init__(self, report: AnalysisResult, screen: Screen, seat: Seat | None = None) -> None:
        self._report = report
        self._screen = screen
        self._seat = seat

    def lines(self, after: int, until: int) -> Iterator[str]:
        """What is said of the move that began after an event, up to another one."""
        for decision in self._report.decisions:
            shown = self._seat is None or decision.seat == self._seat
            if shown and after < decision.seq <= until and not decision.is_forced:
                yield from self._decision(decision)

    def sums(self) -> Iterator[str]:
        """What became of it all, seat by seat."""
        if not self._report.seats:
            return
        yield ""
        yield self._say("title", expected=_hundred(self._report.seats[0].expected))
        for one in self._report.seats:
            yield self._sum(one)

    def _decision(self, decision: JudgedMove) -> Iterator[str]:
        share = decision.share or 0.0
        best = decision.options[0]
        told = {"move": self._move(best.move), "best": _percent(best.share)}
        ending = "lost" if decision.loss else "equal" if best.share > share else "best"
        text = self._say("share", share=_percent(share))
        text += self._say(ending, loss=_percent(decision.loss), **told)
        yield text
        if decision.by == "clock":
            yield self._say("clock")
        yield from self._hindsight(decision)

    def _hindsight(self, decision: JudgedMove) -> Iterator[str]:
        seen = decision.hindsight
        if seen is None or bool(seen.loss) == bool(decision.loss):
            return
        if decision.loss:
            yield self._screen.dim(self._say("lucky"))
        else:
            best = self._move(seen.best)
            yield self._screen.dim(self._say("unlucky", loss=_percent(seen.loss), move=best))

    def _sum(self, one: SeatAnalysis) -> str:
        text = self._say(
            "sum",
            name=self._screen.names[one.seat],
            luck=_signed(one.luck),
            gained=_signed(one.gained),
            loss=_signed(-one.loss),
            accuracy="–" if one.accuracy is None else f"{one.accuracy:.0f}",
        )
        if one.given_up:
            text += self._say("given_up", given_up=_signed(-one.given_up))
        return text

    def _move(self, move: AnalysedMove) -> str:
        plain: dict[str, Any] = msgspec.to_builtins(move)
        screen = self._screen
        cards = screen.cards(plain.get("cards", ())) or screen.slots(plain.get("slots", ()))
        target = screen.card(move.target) if move.target else ""
        text = screen.words.say(f"moves.{move.type}", cards=cards, target=target)
        if move.suit:
            text += screen.words.say("screen.naming", suit=screen.suit(move.suit))
        return text

    def _say(self, key: str, **fields: Any) -> str:
        return self._screen.words.say(f"judged.{key}", **fields)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _hundred(share: float) -> str:
    return f"{100 * share:.0f}"


def _signed(share: float) -> str:
    return f"{100 * share:+.0f}"
