"""The judge of bout moves: why a move is not allowed, in the order of the rulebook's 3.7.

Each check is a function of public facts and of the mover's own hand alone, so that no refusal
tells where a card is that the mover does not hold.
"""

from collections.abc import Callable
from typing import Final

from games.rules.bout.seating import active_after, bout_limit, may_throw_in, room
from games.rules.cards import BIT, RANK, CardSet, beaters, ranks_of, to_set
from games.rules.events import Seat
from games.rules.moves import Move
from games.rules.state import ATTACK, DEFEND, FINISHED, TAKE, THROW_IN, State


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
    if (fault := _cards_fault(state, seat, move)) is not None:
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
    pair = next((pair for pair in state.table if pair.attack == move.target), None)
    if pair is None:
        return "no_such_target"
    if pair.beat is not None:
        return "already_beaten"
    if (fault := _cards_fault(state, seat, move)) is not None:
        return fault
    beating = beaters(state.trump, None)[pair.attack]
    return None if BIT[move.cards[0]] & beating else "cannot_beat"


def _take(state: State, seat: Seat, move: Move) -> str | None:
    if seat != state.defender:
        return "not_your_turn"
    if state.phase != DEFEND:
        return "wrong_phase"
    return None if may_take(state) else "must_beat"


def may_take(state: State) -> bool:
    """Whether the defender may take; where he must beat if able, only if he is not (K12)."""
    if not state.rules.must_defend_if_able or state.defender is None:
        return True
    beating = beaters(state.trump, None)
    open_cards = [beating[pair.attack] for pair in state.table if pair.beat is None]
    return not _can_match(open_cards, state.hands[state.defender])


def _can_match(targets: list[CardSet], hand: CardSet) -> bool:
    """Whether every target can be beaten by a card of its own."""
    given: dict[CardSet, CardSet] = {}
    return all(_give(target & hand, given, set()) for target in targets)


def _give(fitting: CardSet, given: dict[CardSet, CardSet], asked: set[CardSet]) -> bool:
    """Give one of the fitting cards away, each asked for once; who has it takes another instead.

    `given` holds for each card given what would have fitted in its place (augmenting paths).
    """
    rest = fitting
    while rest:
        card = rest & -rest
        rest ^= card
        if card in asked:
            continue
        asked.add(card)
        if card not in given or _give(given[card], given, asked):
            given[card] = fitting
            return True
    return False


def _pass(state: State, seat: Seat, move: Move) -> str | None:
    if state.phase not in (THROW_IN, TAKE):
        return "wrong_phase"
    return None if seat in state.to_act else "not_your_turn"


def _throw_in(state: State, seat: Seat, move: Move) -> str | None:
    if (fault := _throw_in_place_fault(state, seat)) is not None:
        return fault
    if len(move.cards) > 1 and state.rules.throw_in_batch == "one":
        return "one_card_at_a_time"
    if len(move.cards) > room(state):
        return "attack_limit"
    if seat not in state.to_act:
        return "not_your_turn"
    if (fault := _cards_fault(state, seat, move)) is not None:
        return fault
    return "rank_not_on_table" if to_set(move.cards) & ~throw_in_ranks(state) else None


def _throw_in_place_fault(state: State, seat: Seat) -> str | None:
    if state.phase == ATTACK:
        return "wrong_phase"
    if seat == state.defender:
        return "not_your_turn"
    if seat not in state.out and not may_throw_in(state, seat):
        return "not_allowed_to_throw"
    when = state.rules.throw_in
    if when == "never" or (when == "on_take" and state.phase != TAKE):
        return "throw_in_disabled"
    return "wrong_phase" if state.phase == DEFEND else None


def throw_in_ranks(state: State) -> CardSet:
    """All cards of the ranks that may be thrown in now (K6)."""
    if state.rules.throw_in_ranks == "lead":
        return ranks_of((state.table[0].attack,))
    return ranks_of(card for pair in state.table for card in pair if card is not None)


def _transfer(state: State, seat: Seat, move: Move) -> str | None:
    if not state.rules.transfer:
        return "transfer_disabled"
    if seat != state.defender:
        return "not_your_turn"
    if state.phase != DEFEND:
        return "wrong_phase"
    if (fault := transfer_fault(state)) is not None:
        return fault
    if (fault := _cards_fault(state, seat, move)) is not None:
        return fault
    count = len(move.cards)
    if count > 1 and not state.rules.transfer_multi:
        return "one_card_at_a_time"
    if (fault := transfer_size_fault(state, count)) is not None:
        return fault
    return "transfer_rank" if to_set(move.cards) & ~ranks_of((state.table[0].attack,)) else None


def transfer_fault(state: State) -> str | None:
    """Why the bout on the table cannot be transferred, whatever the cards (B-24, C1-26)."""
    if state.bouts == 0 and not state.rules.transfer_first_bout:
        return "transfer_first_bout"
    if any(pair.beat is not None for pair in state.table):
        return "transfer_after_beat"
    return None


def transfer_size_fault(state: State, count: int) -> str | None:
    """Why `count` more cards are too many for the next seat, or for the bout (B-25)."""
    target = active_after(state, state.defender or 0)
    total = len(state.table) + count
    if total > state.hands[target].bit_count():
        return "transfer_target_too_few"
    return "attack_limit" if total > bout_limit(state, target) else None


def _show_trump(state: State, seat: Seat, move: Move) -> str | None:
    return "show_disabled" if state.rules.transfer else "transfer_disabled"


def _exchange_trump(state: State, seat: Seat, move: Move) -> str | None:
    return "exchange_disabled"


def _call(state: State, seat: Seat, move: Move) -> str | None:
    return "call_disabled"


def _cards_fault(state: State, seat: Seat, move: Move) -> str | None:
    if not move.cards:
        return "no_cards"
    cards = to_set(move.cards)
    if cards.bit_count() != len(move.cards):
        return "duplicate_card"
    return "card_not_in_hand" if cards & ~state.hands[seat] else None


_JUDGES: Final[dict[str, Callable[[State, Seat, Move], str | None]]] = {
    "attack": _attack,
    "beat": _beat,
    "throw_in": _throw_in,
    "transfer": _transfer,
    "show_trump": _show_trump,
    "take": _take,
    "pass": _pass,
    "exchange_trump": _exchange_trump,
    "call": _call,
}
