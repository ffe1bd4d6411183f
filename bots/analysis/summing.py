"""From judged decisions to a game: what each seat lost, and what luck made of the rest."""

from collections.abc import Sequence
from statistics import fmean
from typing import Final

from msgspec.structs import replace

from bots.analysis.analyser import rounded
from bots.analysis.report import AnalysisResult, JudgedMove, SearchOut, SeatAnalysis
from bots.brains.search.broad import reward
from bots.brains.search.claims import is_claimed
from games.rules.events import Event, Result, Seat
from games.rules.game import Game, fold
from games.rules.rulesets.schema import BoutRules

_GIVEN_UP: Final = frozenset({"resigned", "timeout"})
_LISTED: Final = 3


def report_of(events: Sequence[Event], judged: Sequence[JudgedMove]) -> AnalysisResult:
    """The analysis of a finished game. Raises ValueError if it is not over."""
    game = fold(None, tuple(events))
    if game.result is None:
        raise ValueError("the game is not over")
    search: SearchOut = "tree" if is_claimed(game.rules) else "roll_outs"
    if game.state is None:
        return AnalysisResult(search, (), ())
    seats = range(len(game.chairs))
    ends = [_end(game.result, seat, len(seats)) for seat in seats]
    left = [_given_up(game.result, seat, judged, ends[seat]) for seat in seats]
    told = {
        one.number: one
        for seat in seats
        for one in _with_change(_weighed(judged, seat), ends[seat] + left[seat])
    }
    decisions = tuple(told.get(one.number, one) for one in judged)
    cost = [_lost(decisions, seat) + left[seat] for seat in seats]
    gained = [_gained(game, cost, seat) for seat in seats]
    sums = tuple(
        _sum(game, decisions, seat, ends[seat], left[seat], gained[seat]) for seat in seats
    )
    return AnalysisResult(search, sums, decisions)


def _end(result: Result, seat: Seat, seats: int) -> float:
    return rounded(reward(result, seat, seats))


def _weighed(judged: Sequence[JudgedMove], seat: Seat) -> list[JudgedMove]:
    return [one for one in judged if one.seat == seat and not one.is_forced]


def _best_share(one: JudgedMove) -> float:
    """The share before the move: of the best move, or of what was no worse for sure."""
    return (one.share or 0.0) + one.loss


def _given_up(result: Result, seat: Seat, judged: Sequence[JudgedMove], end: float) -> float:
    """The share that a seat still had when it gave up, or forfeited, a game of two."""
    if result.reason not in _GIVEN_UP or result.durak != seat:
        return 0.0
    own = _weighed(judged, seat)
    return rounded((own[-1].share if own and own[-1].share else 0.5) - end)


def _with_change(own: list[JudgedMove], end: float) -> list[JudgedMove]:
    after = [*(_best_share(one) for one in own[1:]), end] if own else []
    return [
        replace(one, came=rounded(then - (one.share or 0.0)))
        for one, then in zip(own, after, strict=True)
    ]


def _lost(decisions: Sequence[JudgedMove], seat: Seat) -> float:
    return sum(one.loss for one in decisions if one.seat == seat)


def _gained(game: Game, cost: Sequence[float], seat: Seat) -> float:
    """What the losses of the others brought: in teams all of it, else a seat's part."""
    if _in_teams(game):
        return sum(
            lost if (other - seat) % 2 else -lost
            for other, lost in enumerate(cost)
            if other != seat
        )
    return (sum(cost) - cost[seat]) / (len(cost) - 1)


def _in_teams(game: Game) -> bool:
    return isinstance(game.rules, BoutRules) and game.rules.teams != "none"


def _sum(
    game: Game, decisions: Sequence[JudgedMove], seat: Seat, end: float, left: float, gained: float
) -> SeatAnalysis:
    own = _weighed(decisions, seat)
    expected = _expected(game)
    loss = sum(one.loss for one in own)
    return SeatAnalysis(
        seat=seat,
        result=end,
        expected=rounded(expected),
        luck=rounded(end - expected - gained + loss + left),
        deal=rounded(_best_share(own[0]) - expected) if own else 0.0,
        gained=rounded(gained),
        loss=rounded(loss),
        given_up=left,
        hindsight_loss=rounded(sum(one.hindsight.loss for one in own if one.hindsight)),
        decisions=len(own),
        accuracy=_accuracy(own),
        worst=_worst(own),
        best=_finds(own),
    )


def _expected(game: Game) -> float:
    """The mean of the results at a table of equals."""
    by_places = game.result is None or game.result.points is not None
    if by_places or _in_teams(game):
        return 0.5
    return 1 - 1 / len(game.chairs)


def _stake(one: JudgedMove) -> float:
    return max(0.0, one.options[0].share - one.options[-1].share)


def _accuracy(own: list[JudgedMove]) -> float | None:
    stakes = sum(_stake(one) for one in own)
    if not stakes:
        return None
    return round(100 * (1 - sum(one.loss for one in own) / stakes), 1)


def _worst(own: list[JudgedMove]) -> tuple[int, ...]:
    dear = sorted((one for one in own if one.loss), key=lambda one: (-one.loss, one.number))
    return tuple(one.number for one in dear[:_LISTED])


def _finds(own: list[JudgedMove]) -> tuple[int, ...]:
    """Right moves where the usual one would have lost most."""
    kept = [(_missed(one), one.number) for one in own if not one.loss]
    kept = sorted((-missed, number) for missed, number in kept if missed > 0)
    return tuple(number for _, number in kept[:_LISTED])


def _missed(one: JudgedMove) -> float:
    return rounded(one.options[0].share - fmean(option.share for option in one.options))
