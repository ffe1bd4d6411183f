"""Matches: a series of games with the same seats, folded from nothing but their results.

A match ends when its series is decided, or when somebody has the points or is left with the card
that loses it (C5-V3c, G17); without series or target it goes on as long as its players like.
"""

from collections.abc import Iterable
from typing import Final

import msgspec

from games.rules.events import Previous, Seat
from games.rules.game import Game
from games.rules.rulesets.schema import BoutRules, SheddingRules

SERIES: Final = "series_length"
TARGET: Final = "match_target"
WILD_LEFT: Final = "wild_left_loses"
Places = tuple[tuple[Seat, ...], ...]


class Terms(msgspec.Struct, frozen=True):
    """What the games of a match have in common: seats, teams (seats by parity), and its end.

    The series is the best of `series_length` games; with `exact_resets` whoever has exactly
    `target` points is set back to none, and only more of them lose the match.
    """

    seats: int
    teams: bool = False
    series_length: int | None = None
    target: int | None = None
    exact_resets: bool = False

    @property
    def has_end(self) -> bool:
        """Whether there is anything to win or lose but games."""
        return self.series_length is not None or self.target is not None


class SeatScore(msgspec.Struct, frozen=True):
    """How a finished game ended for one seat."""

    won: bool
    is_durak: bool
    drew: bool
    points: int


class SeatTotal(msgspec.Struct, frozen=True):
    """A seat's running totals: games, how many of them it won, lost as durak, drew; its points."""

    games: int = 0
    wins: int = 0
    duraks: int = 0
    draws: int = 0
    points: int = 0


class MatchResult(msgspec.Struct, frozen=True):
    """How a match ended: the seats of the first place, the second, and so on, and why.

    `losers` are the seats of the last place, or those who have the points or cards that lose it.
    No seat is among both: of those with points enough to lose, the lowest still wins, unless all
    have the same; and who is left with a card that loses never wins. Then `winners` may be empty.
    """

    winners: tuple[Seat, ...]
    losers: tuple[Seat, ...]
    places: Places
    reason: str


class Standing(msgspec.Struct, frozen=True):
    """A match after some games; `result` is None while it may go on."""

    games: int
    totals: tuple[SeatTotal, ...]
    result: MatchResult | None


def terms_of(game: Game) -> Terms:
    """The terms of a game's match, as its first event states them."""
    rules = game.rules
    return Terms(
        seats=len(game.chairs),
        teams=isinstance(rules, BoutRules) and rules.teams != "none",
        series_length=game.series_length,
        target=game.match_target,
        exact_resets=isinstance(rules, SheddingRules) and rules.exact_target_resets,
    )


def standing_of(
    terms: Terms, games: Iterable[tuple[SeatScore, ...]], losers: tuple[Seat, ...] = ()
) -> Standing:
    """Where a match stands after its finished games, in their order (G11, G20).

    `losers` are the seats that by the last game have lost the match at once (C5-V3c, G17).
    """
    totals, played = (SeatTotal(),) * terms.seats, 0
    for scores in games:
        totals = tuple(_added(terms, *pair) for pair in zip(totals, scores, strict=True))
        played += 1
    if losers and terms.has_end:
        return Standing(played, totals, _by_wild_left(terms, totals, losers))
    return Standing(played, totals, _result(terms, totals, played))


def match_losers(game: Game) -> tuple[Seat, ...]:
    """The seats that by this game have lost their match, whatever the points (3.7, 26)."""
    losers = msgspec.UNSET if game.result is None else game.result.match_losers
    return () if isinstance(losers, msgspec.UnsetType) else losers


def previous_of(game: Game) -> Previous:
    """What the next game must know of a finished one. Raises ValueError before the end.

    Of a team that lost, the last to hold cards counts as the durak (rulebook 3.5, 10).
    """
    result, state = game.result, game.state
    if result is None or state is None:
        raise ValueError("the game was not played to an end")
    durak = result.places[-1][0] if isinstance(result.durak, tuple) else result.durak
    return Previous(dealer=state.dealer, durak=durak, winner=result.winner, draw=result.draw)


def _added(terms: Terms, total: SeatTotal, score: SeatScore) -> SeatTotal:
    points = total.points + score.points
    if terms.exact_resets and points == terms.target:
        points = 0
    return SeatTotal(
        games=total.games + 1,
        wins=total.wins + score.won,
        duraks=total.duraks + score.is_durak,
        draws=total.draws + score.drew,
        points=points,
    )


def _result(terms: Terms, totals: tuple[SeatTotal, ...], played: int) -> MatchResult | None:
    if terms.target is not None:
        return _by_points(terms, terms.target, totals)
    if terms.series_length is not None:
        return _by_wins(terms, terms.series_length - played, totals)
    return None


def _by_wild_left(
    terms: Terms, totals: tuple[SeatTotal, ...], losers: tuple[Seat, ...]
) -> MatchResult:
    """Somebody is left with a card that loses; the others are told apart by points or wins."""
    keys: list[tuple[int, ...]] = [
        (seat in losers, -total.wins if terms.target is None else total.points)
        for seat, total in enumerate(totals)
    ]
    return _ended(_ranked(keys), WILD_LEFT, losers)


def _by_points(terms: Terms, target: int, totals: tuple[SeatTotal, ...]) -> MatchResult | None:
    """Somebody has points enough to lose; whoever has fewest wins, even of those."""
    most = target + 1 if terms.exact_resets else target
    burnt = tuple(seat for seat, total in enumerate(totals) if total.points >= most)
    if not burnt:
        return None
    places = _ranked([(total.points,) for total in totals])
    return _ended(places, TARGET, _without(burnt, places[0]) or burnt)


def _by_wins(terms: Terms, left: int, totals: tuple[SeatTotal, ...]) -> MatchResult | None:
    """Nobody can overtake the leader any more, or all games are played."""
    wins = [total.wins for total in totals]
    if terms.teams:
        wins = [max(wins[seat % 2 :: 2]) for seat in range(terms.seats)]
    best = max(wins)
    others = [won for seat, won in enumerate(wins) if not _is_beside(terms, seat, wins.index(best))]
    if left > 0 and best <= max(others) + left:
        return None
    duraks = [0 if terms.teams else total.duraks for total in totals]
    return _ended(_ranked([(-won, lost) for won, lost in zip(wins, duraks, strict=True)]), SERIES)


def _is_beside(terms: Terms, seat: Seat, other: Seat) -> bool:
    return (seat - other) % 2 == 0 if terms.teams else seat == other


def _ended(places: Places, reason: str, losers: tuple[Seat, ...] | None = None) -> MatchResult:
    if losers is None:
        losers = places[-1] if len(places) > 1 else ()
    return MatchResult(_without(places[0], losers), losers, places, reason)


def _without(seats: tuple[Seat, ...], others: tuple[Seat, ...]) -> tuple[Seat, ...]:
    return tuple(seat for seat in seats if seat not in others)


def _ranked(keys: list[tuple[int, ...]]) -> Places:
    """The seats by their keys, least first; equal keys share a place."""
    return tuple(
        tuple(seat for seat, key in enumerate(keys) if key == level) for level in sorted(set(keys))
    )
