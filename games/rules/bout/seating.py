"""Who sits where in a bout: neighbours, the throw-in queue, the room that is left."""

from collections.abc import Iterator
from typing import Final

from games.rules.events import Seat
from games.rules.rulesets.schema import MAX_PLAYERS
from games.rules.state import State

CIRCLES: Final = {
    count: tuple(tuple((seat + step) % count for step in range(count)) for seat in range(count))
    for count in range(1, MAX_PLAYERS + 1)
}


def circle_from(state: State, seat: Seat) -> tuple[Seat, ...]:
    """All seats clockwise, `seat` first."""
    return CIRCLES[state.seats][seat]


def active_after(state: State, seat: Seat) -> Seat:
    """The next seat clockwise that is still in the game; `seat` itself if it is alone."""
    for other in circle_from(state, seat)[1:]:
        if other not in state.out:
            return other
    return seat


def throwers(state: State) -> Iterator[Seat]:
    """Seats that may throw in, whether or not they hold cards, in the order of asking (C2-18)."""
    scope = state.rules.throw_in_scope
    attacker, defender = state.attacker, state.defender
    if attacker is None or defender is None:
        return
    neighbours = (attacker, active_after(state, defender)) if scope == "neighbours" else ()
    for seat in circle_from(state, attacker):
        if seat == defender or seat in state.out:
            continue
        if scope == "all" or seat == attacker or seat in neighbours:
            yield seat


def next_thrower(state: State) -> Seat | None:
    """Whose turn it is to throw in or pass; nobody's if all have passed or hold no cards.

    Only an empty hand is skipped, which everybody can see; never one without a fitting rank (G23).
    """
    for seat in throwers(state):
        if state.hands[seat] and seat not in state.passed:
            return seat
    return None


def bout_limit(state: State, defender: Seat, beats: int = 0) -> int:
    """How many attack cards a bout against `defender` may hold (B-16, C2-21).

    His hand counts as it was when the bout came to him: `beats` cards of it lie on the table.
    """
    limits = [state.hands[defender].bit_count() + beats]
    if state.rules.attack_limit is not None:
        limits.append(state.rules.attack_limit)
    if state.rules.first_attack_limit is not None and _is_first(state):
        limits.append(state.rules.first_attack_limit)
    return min(limits)


def room(state: State) -> int:
    """How many attack cards may still be added to the bout on the table."""
    return state.limit - len(state.table)


def _is_first(state: State) -> bool:
    if state.rules.first_limit_scope == "first_bout":
        return state.bouts == 0
    return state.discard_count == 0
