"""The outcome of a run: scores of the meetings, strengths, as text and as JSON."""

from collections.abc import Iterable, Iterator, Sequence
from math import fsum
from typing import Final

import msgspec

from bots.arena.deals import DealResult
from bots.arena.elo import BASE, Pairing, ratings
from bots.arena.pairing import Meeting
from bots.arena.plan import Plan, entrants
from bots.arena.sprt import Verdict, elo_of
from bots.arena.statistics import Interval, score_interval, variance, wilson
from bots.brains.ladder import OVERALL

ANCHOR: Final = "random"


class Tested(msgspec.Struct, frozen=True):
    """The end of a sequential test; no verdict: the deals were too few."""

    elo0: float
    elo1: float
    llr: float
    verdict: Verdict | None


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """A meeting: the first side's share of the points (a draw is half), and what that is in Elo.

    Where the first sat alone among the second there is no Elo: `durak` is how often it lost.
    `faults` are the games that first and second lost by an illegal move or a failure.
    """

    ruleset: str
    seats: int
    first: str
    second: str
    deals: int
    games: int
    draws: int
    moves: int
    score: Interval
    elo: float | None
    durak: Interval | None = None
    sprt: Tested | None = None
    faults: tuple[int, int] = (0, 0)
    fault: str = ""


class Standing(msgspec.Struct, frozen=True):
    """One brain's strength and its 95 % interval."""

    brain: str
    elo: float
    low: float
    high: float
    games: int


class Table(msgspec.Struct, frozen=True):
    """Strengths in one ruleset, or in all of them together; the strongest first."""

    ruleset: str
    standings: tuple[Standing, ...]


class Report(msgspec.Struct, frozen=True):
    """All that one run found. Without `random` the first brain has 1000."""

    plan: Plan
    versions: dict[str, int]
    scores: tuple[Score, ...]
    tables: tuple[Table, ...]


def report_of(plan: Plan, deals: Sequence[Sequence[DealResult]]) -> Report:
    """The report of a run, from the deals of each meeting."""
    pool, met = entrants(plan)
    scores = tuple(_score(plan, *one) for one in zip(met, deals, strict=True))
    return Report(
        plan=plan,
        versions={one.label: one.entry.version for one in pool},
        scores=scores,
        tables=() if plan.alone else tuple(_tables(plan, list(zip(met, deals, strict=True)))),
    )


def _score(plan: Plan, meeting: Meeting, deals: Sequence[DealResult]) -> Score:
    pool = entrants(plan).pool
    found = score_interval([deal.score for deal in deals])
    games = sum(deal.games for deal in deals)
    return Score(
        ruleset=meeting.rules.id,
        seats=meeting.seats,
        first=pool[meeting.first].label,
        second=pool[meeting.second].label,
        deals=len(deals),
        games=games,
        draws=sum(deal.draws for deal in deals),
        moves=sum(deal.moves for deal in deals),
        score=found,
        elo=None if plan.alone else elo_of(found.share),
        durak=wilson(sum(deal.lost for deal in deals), games) if plan.alone else None,
        sprt=_tested(plan, [deal.score for deal in deals]),
        faults=(sum(deal.faults[0] for deal in deals), sum(deal.faults[1] for deal in deals)),
        fault=next((deal.fault for deal in deals if deal.fault), ""),
    )


def _tested(plan: Plan, scores: Sequence[float]) -> Tested | None:
    test = plan.sprt
    if test is None:
        return None
    return Tested(test.elo0, test.elo1, test.llr(scores), test.verdict(scores))


Met = Sequence[tuple[Meeting, Sequence[DealResult]]]


def _tables(plan: Plan, met: Met) -> Iterator[Table]:
    names = list(dict.fromkeys(meeting.rules.id for meeting, _ in met))
    for name in names:
        yield _table(plan, name, [one for one in met if one[0].rules.id == name])
    if len(names) > 1:
        yield _table(plan, OVERALL, met)


def _table(plan: Plan, name: str, met: Met) -> Table:
    pool = entrants(plan).pool
    named = [one.entry.name for one in pool]
    anchor = named.index(ANCHOR) if ANCHOR in named else 0
    pairings = [_pairing(meeting, deals) for meeting, deals in met]
    found = ratings(len(pool), pairings, anchor)
    standings = [
        Standing(one.label, elo, elo - margin, elo + margin, _games(index, pairings))
        for index, (one, (elo, margin)) in enumerate(zip(pool, found, strict=True))
    ]
    return Table(name, tuple(sorted(standings, key=lambda one: -one.elo)))


def _games(index: int, pairings: Iterable[Pairing]) -> int:
    return sum(one.games for one in pairings if index in (one.first, one.second))


def _pairing(meeting: Meeting, deals: Sequence[DealResult]) -> Pairing:
    points = fsum(deal.score * deal.games for deal in deals)
    games = sum(deal.games for deal in deals)
    share = (points + 0.5) / (games + 1)
    # Where every deal ended alike, the spread that was seen says nothing.
    spread = len(deals) * variance([deal.score * deal.games for deal in deals])
    spread = spread or games * share * (1 - share)
    return Pairing(meeting.first, meeting.second, points, games, spread)


def report_json(report: Report) -> bytes:
    """For programs."""
    return msgspec.json.format(msgspec.json.encode(report)) + b"\n"


def report_text(report: Report) -> str:
    """For a terminal."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    for score in report.scores:
        yield from _score_lines(score)
    for table in report.tables:
        yield from ("", f"Elo, {table.ruleset} ({ANCHOR} = {BASE:.0f})")
        for one in table.standings:
            margin = (one.high - one.low) / 2
            yield f"  {one.brain:<24} {one.elo:6.0f} ± {margin:3.0f}  {one.games:>8,} games"


def _score_lines(score: Score) -> Iterator[str]:
    told = f"{score.games:,} games, {score.draws:,} draws, {score.moves:,} moves"
    table = f"{score.ruleset}, {score.seats} seats: {score.first}"
    if score.durak is not None:
        yield (
            f"{table} alone among {score.seats - 1} {score.second} is durak in"
            f" {score.durak.share:.1%} of games ({score.durak.low:.1%} to {score.durak.high:.1%},"
            f" equals {1 / score.seats:.1%}), {told}"
        )
    else:
        yield (
            f"{table} scores {score.score.share:.1%} ± {score.score.margin:.1%} against"
            f" {score.second} ({score.elo:+.0f} Elo), {told}"
        )
    if score.sprt is not None:
        yield _test_line(score.sprt)
    if any(score.faults):
        first, second = score.faults
        yield f"  lost by faults: {score.first} {first}, {score.second} {second} ({score.fault})"


def _test_line(test: Tested) -> str:
    said = {"H0": f"{test.elo0:+g} it is", "H1": f"{test.elo1:+g} it is", None: "undecided"}
    return (
        f"  test of {test.elo0:+g} against {test.elo1:+g} Elo:"
        f" {said[test.verdict]} (LLR {test.llr:.2f})"
    )
