"""Whether a game could be in a position that was written down, not played."""

from collections.abc import Iterator

from games.rules.bout.beating import beating
from games.rules.bout.seating import defender_against, may_throw_in
from games.rules.cards import BIT
from games.rules.state import ATTACK, DEFEND, TAKE, THROW_IN, State

Fault = tuple[str, str]


def unsound(state: State) -> dict[str, str]:
    """What no running game could have, by the position's fields; empty if it is sound."""
    return dict([*_table(state), *_passes(state), *_bystanders(state), *_opponents(state)])


def _opponents(state: State) -> Iterator[Fault]:
    attacker, defender = state.attacker or 0, state.defender or 0
    for field, seat in (("defender", defender), ("attacker", attacker)):
        if state.phase == ATTACK and not state.hands[seat]:
            yield field, "holds no cards"
        if seat in state.out:
            yield field, "is out of the game"
    if attacker == defender:
        yield "defender", "the attacker cannot defend"
    elif attacker not in state.out and defender != defender_against(state, attacker):
        yield "defender", f"by the rules it is {defender_against(state, attacker)}"


def _table(state: State) -> Iterator[Fault]:
    if len(state.table) > state.limit:
        yield "table", "more attack cards than this bout allows"
    beaters = beating(state)
    called = {play.card for play in state.plays}
    for pair in state.table:
        if pair.beat is None or pair.beat in called:
            continue
        if not BIT[pair.beat] & beaters[pair.attack]:
            yield "table", f"{pair.beat} does not beat {pair.attack}"


def _passes(state: State) -> Iterator[Fault]:
    early = state.phase == DEFEND and state.rules.throw_in_timing == "anytime"
    if state.passed and not early and state.phase not in (THROW_IN, TAKE):
        yield "passed", f"nobody passes in the phase {state.phase}"
    if not all(may_throw_in(state, seat) for seat in state.passed):
        yield "passed", "only seats that may throw in can pass"


def _bystanders(state: State) -> Iterator[Fault]:
    if any(state.hands[seat] for seat in state.out):
        yield "out_in_order", "who is out holds no cards"
    if any(state.hands[seat] or seat in state.out for seat in state.emptied):
        yield "emptied", "names seats in the game that hold no cards"
    if state.turn_up is not None and state.turn_up not in state.talon[-1:]:
        yield "turn_up", "is not the last card of the talon"
