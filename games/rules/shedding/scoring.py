"""Results of shedding games: points, places, the durak."""

from itertools import groupby

from msgspec import UNSET

from games.rules.cards import CardSet, to_cards
from games.rules.events import Result, Seat
from games.rules.scoring import Places, draw_result, singly, winner_of
from games.rules.shedding.seating import active
from games.rules.shedding.state import SheddingState
from games.rules.shedding.tables import tables

PLAYED_OUT = "played_out"


def is_over(state: SheddingState) -> bool:
    """Whether the seats that went out end the game (A-03, C5-19, K22)."""
    if state.rules.end == "first_out":
        return bool(state.out)
    return len(state.out) >= state.seats - 1


def result_of(state: SheddingState, reason: str = PLAYED_OUT) -> Result:
    """The result at the end, or when the game has stalled (G14, 3.7, 26)."""
    if reason != PLAYED_OUT and state.rules.stalemate == "draw":
        return draw_result(state.seats, state.out, reason)
    losers = tuple(seat for seat in active(state) if _holds_loser(state, seat))
    points = None if state.rules.points is None else _points(state, losers)
    places = (*singly(state.out), *_ranked(state, points or {}, losers))
    alone = len(places) > 1 and len(places[-1]) == 1
    return Result(
        durak=places[-1][0] if alone else None,
        draw=len(places) == 1,
        winner=winner_of(places),
        places=places,
        reason=reason,
        points=None if points is None else {str(seat): n for seat, n in points.items()},
        match_losers=losers or UNSET,
    )


def _holds_loser(state: SheddingState, seat: Seat) -> bool:
    """Whether a seat is left with a card that loses at once (C5-V3c, G17)."""
    return state.rules.wild_left_loses and bool(state.hands[seat] & tables(state.rules).wild)


def _points(state: SheddingState, losers: tuple[Seat, ...]) -> dict[Seat, int]:
    """The points of every seat; nobody counts where somebody lost at once (3.7, 26)."""
    if losers:
        return dict.fromkeys(range(state.seats), 0)
    bonus = tables(state.rules).bonus
    points = {seat: hand_points(state, state.hands[seat]) for seat in range(state.seats)}
    gone = dict(zip(state.out, state.last_cards, strict=True))
    return points | {seat: -bonus[card] for seat, card in gone.items() if card is not None}


def hand_points(state: SheddingState, hand: CardSet) -> int:
    """What the cards left in a hand cost (C5-20, C5-21, K24)."""
    found = tables(state.rules)
    lone = hand.bit_count() == 1 and hand & found.wild
    if lone and state.rules.lone_wild_penalty:
        return state.rules.lone_wild_penalty
    return sum(found.points[card] for card in to_cards(hand))


def _ranked(state: SheddingState, points: dict[Seat, int], losers: tuple[Seat, ...]) -> Places:
    """The seats with cards by points, equal ones together; who lost at once comes last."""

    def rank(seat: Seat) -> tuple[bool, int]:
        return seat in losers, points.get(seat, 0)

    grouped = groupby(sorted(active(state), key=rank), rank)
    return tuple(tuple(seats) for _, seats in grouped)
