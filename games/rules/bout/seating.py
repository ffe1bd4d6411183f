"""Who sits where in a bout: neighbours, the throw-in queue, the room that is left."""

from functools import lru_cache
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
    return _active_after(state.seats, state.out, seat)


@lru_cache(maxsize=4096)
def _active_after(seats: int, out: tuple[Seat, ...], seat: Seat) -> Seat:
    return next((other for other in CIRCLES[seats][seat][1:] if other not in out), seat)


def defender_against(state: State, attacker: Seat) -> Seat:
    """Whom `attacker` attacks: the next seat, in team games the next opponent (3.7, 8)."""
    if state.rules.teams == "none":
        return _active_after(state.seats, state.out, attacker)
    for other in circle_from(state, attacker)[1::2]:
        if other not in state.out:
            return other
    return attacker


def are_partners(state: State, one: Seat, other: Seat) -> bool:
    """Whether two seats play together: every second seat does in team games."""
    return state.rules.teams != "none" and (one - other) % 2 == 0


def throwers(state: State) -> tuple[Seat, ...]:
    """Seats that may throw in, whether or not they hold cards, in the order of asking (C2-18)."""
    if state.rules.throw_in_scope == "all" and state.rules.teams == "none":
        return _all_but(state.seats, state.out, state.attacker or 0, state.defender)
    order = circle_from(state, state.attacker or 0)
    return tuple([seat for seat in order if may_throw_in(state, seat)])


@lru_cache(maxsize=4096)
def _all_but(
    seats: int, out: tuple[Seat, ...], attacker: Seat, defender: Seat | None
) -> tuple[Seat, ...]:
    return tuple(seat for seat in CIRCLES[seats][attacker] if seat != defender and seat not in out)


def may_throw_in(state: State, seat: Seat) -> bool:
    """Whether a seat in the game may add cards to this bout at all (C1-16, C2-16, K4)."""
    return seat != state.defender and seat not in state.out and is_in_scope(state, seat)


def is_in_scope(state: State, seat: Seat) -> bool:
    """Whether the ruleset lets this seat throw in, whether or not it is still in the game."""
    if state.rules.teams != "none" and are_partners(state, seat, state.defender or 0):
        return False
    scope = state.rules.throw_in_scope
    if scope == "all" or seat == state.attacker:
        return True
    return scope == "neighbours" and seat == active_after(state, state.defender or 0)


def throwers_now(state: State) -> tuple[Seat, ...]:
    """Seats that may still add cards: they hold some, have not passed and were not caught.

    Only an empty hand is skipped, which everybody can see; never one without a fitting rank (G23).
    """
    hands, passed, barred = state.hands, state.passed, state.barred
    able = throwers(state)
    for seat in able:
        if not hands[seat] or seat in passed or seat in barred:
            able = tuple([other for other in able if other != seat])
    return able


def may_throw_now(state: State, seat: Seat) -> bool:
    """Whether a seat may still add cards: it holds some, has not passed and was not caught."""
    return bool(
        state.hands[seat]
        and seat not in state.passed
        and seat not in state.barred
        and may_throw_in(state, seat)
    )


def bout_limit(state: State, defender: Seat, beats: int = 0) -> int:
    """How many attack cards a bout against `defender` may hold (B-16, C2-21).

    His hand counts as it was when the bout came to him: `beats` cards of it lie on the table.
    """
    limit = state.hands[defender].bit_count() + beats
    rules = state.rules
    if rules.attack_limit is not None and rules.attack_limit < limit:
        limit = rules.attack_limit
    if rules.first_attack_limit is not None and _is_first(state):
        limit = min(limit, rules.first_attack_limit)
    return limit


def room(state: State) -> int:
    """How many attack cards may still be added to the bout on the table."""
    return state.limit - len(state.table)


def _is_first(state: State) -> bool:
    if state.rules.first_limit_scope == "first_bout":
        return state.bouts == 0
    return state.discard_count == 0
