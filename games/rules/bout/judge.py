"""The judge of bout moves: why a move is not allowed, in the order of the rulebook's 3.7.

Each check is a function of public facts and of the mover's own hand alone, so that no refusal
tells where a card is that the mover does not hold.
"""

from collections.abc import Callable
from typing import Final

from games.rules.bout import judge_transfer, judge_trump
from games.rules.bout.beating import beating, may_take, throw_in_ranks
from games.rules.bout.held import cards_fault
from games.rules.bout.seating import bout_limit, is_in_scope, may_throw_now, room
from games.rules.cards import BIT, RANK, to_set
from games.rules.events import Seat
from games.rules.moves import Move
from games.rules.state import ATTACK, DEFEND, FINISHED, TAKE, THROW_IN, State

# Wrong plays: refused where moves are checked, accepted where somebody may call them, and
# punished where the mover could not see his cards.
WRONG: Final = frozenset({"move.cannot_beat", "move.rank_not_on_table", "move.transfer_rank"})


def why_not(state: State, seat: Seat, move: Move) -> str | None:
    """The code that refuses this move now, or None if it is legal."""
    if state.phase == FINISHED:
        return "game.over"
    reason = _JUDGES[move.type](state, seat, move)
    return None if reason is None else "move." + reason


def _attack(state: State, seat: Seat, move: Move) -> str | None:
    if state.phase != ATTACK:
        return "wrong_phase"
    if seat != state.attacker or state.defender is None:
        return "not_your_turn"
    count = len(move.cards)
    if (fault := cards_fault(state, seat, move)) is not None:
        return fault
    if count > state.rules.lead_max_cards:
        return "attack_multi_forbidden"
    if count > 1 and len({RANK[card] for card in move.cards}) > 1:
        return "ranks_differ"
    return "attack_limit" if count > bout_limit(state, state.defender) else None


def _beat(state: State, seat: Seat, move: Move) -> str | None:
    if seat != state.defender:
        return "not_your_turn"
    if state.phase != DEFEND:
        return "wrong_phase"
    if (fault := _target_fault(state, move)) is not None:
        return fault
    if (fault := cards_fault(state, seat, move)) is not None:
        return fault
    return None if BIT[move.cards[0]] & beating(state)[move.target or ""] else "cannot_beat"


def _target_fault(state: State, move: Move) -> str | None:
    for attack, beat in state.table:
        if attack == move.target:
            return None if beat is None else "already_beaten"
    return "no_such_target"


def _take(state: State, seat: Seat, move: Move) -> str | None:
    if seat != state.defender:
        return "not_your_turn"
    if state.phase != DEFEND:
        return "wrong_phase"
    return None if may_take(state) else "must_beat"


def _pass(state: State, seat: Seat, move: Move) -> str | None:
    anytime = state.rules.throw_in_timing == "anytime"
    if state.phase not in (THROW_IN, TAKE) and not (anytime and state.phase == DEFEND):
        return "wrong_phase"
    if seat == state.defender or seat not in state.to_act:
        return "not_your_turn"
    return None


def _throw_in(state: State, seat: Seat, move: Move) -> str | None:
    if (fault := _throw_in_place_fault(state, seat)) is not None:
        return fault
    count = len(move.slots or move.cards)
    if count > 1 and state.rules.throw_in_batch == "one":
        return "one_card_at_a_time"
    if count > room(state):
        return "attack_limit"
    if seat not in state.to_act or not may_throw_now(state, seat):
        return "not_your_turn"
    if (fault := cards_fault(state, seat, move)) is not None:
        return fault
    return "rank_not_on_table" if to_set(move.cards) & ~throw_in_ranks(state) else None


def _throw_in_place_fault(state: State, seat: Seat) -> str | None:
    if state.phase == ATTACK:
        return "wrong_phase"
    if seat == state.defender:
        return "not_your_turn"
    if seat in state.barred or not is_in_scope(state, seat):
        return "not_allowed_to_throw"
    when = state.rules.throw_in
    if when == "never" or (when == "on_take" and state.phase != TAKE):
        return "throw_in_disabled"
    too_early = state.phase == DEFEND and state.rules.throw_in_timing != "anytime"
    return "wrong_phase" if too_early else None


_JUDGES: Final[dict[str, Callable[[State, Seat, Move], str | None]]] = {
    "attack": _attack,
    "beat": _beat,
    "throw_in": _throw_in,
    "transfer": judge_transfer.transfer,
    "show_trump": judge_transfer.show_trump,
    "take": _take,
    "pass": _pass,
    "exchange_trump": judge_trump.exchange,
    "call": judge_trump.call,
}
