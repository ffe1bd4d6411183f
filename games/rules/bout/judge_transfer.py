"""Judging transfers, by a card of the rank or by showing a trump of it."""

from games.rules.bout.beating import attack_ranks
from games.rules.bout.held import cards_fault
from games.rules.bout.seating import bout_limit, defender_against
from games.rules.cards import BIT, to_set
from games.rules.events import Seat
from games.rules.moves import Move
from games.rules.state import DEFEND, State


def transfer(state: State, seat: Seat, move: Move) -> str | None:
    """Why the defender cannot pass the bout on with these cards (B-21, B-24, B-25)."""
    if not state.rules.transfer:
        return "transfer_disabled"
    if (fault := _moment_fault(state, seat)) is not None:
        return fault
    if (fault := cards_fault(state, seat, move)) is not None:
        return fault
    count = len(move.cards)
    if count > 1 and not state.rules.transfer_multi:
        return "one_card_at_a_time"
    if (fault := size_fault(state, count)) is not None:
        return fault
    return "transfer_rank" if to_set(move.cards) & ~attack_ranks(state) else None


def show_trump(state: State, seat: Seat, move: Move) -> str | None:
    """Why the defender cannot pass the bout on by showing this card (3.7, 6)."""
    if not state.rules.transfer:
        return "transfer_disabled"
    if not state.rules.transfer_by_showing_trump:
        return "show_disabled"
    if (fault := _moment_fault(state, seat)) is not None:
        return fault
    if (fault := cards_fault(state, seat, move)) is not None:
        return fault
    card = move.cards[0]
    if card[1] != state.trump:
        return "show_not_trump"
    if card in state.shown:
        return "show_already_used"
    if (fault := size_fault(state, 0)) is not None:
        return fault
    return None if BIT[card] & attack_ranks(state) else "transfer_rank"


def _moment_fault(state: State, seat: Seat) -> str | None:
    if seat != state.defender:
        return "not_your_turn"
    return "wrong_phase" if state.phase != DEFEND else early_fault(state)


def early_fault(state: State) -> str | None:
    """Why the bout on the table cannot be passed on, whatever the cards (B-24, C1-26)."""
    if state.bouts == 0 and not state.rules.transfer_first_bout:
        return "transfer_first_bout"
    if any(pair.beat is not None for pair in state.table):
        return "transfer_after_beat"
    return None


def size_fault(state: State, count: int) -> str | None:
    """Why `count` more cards are too many for the next seat, or for the bout (B-25)."""
    target = defender_against(state, state.defender or 0)
    total = len(state.table) + count
    if total > state.hands[target].bit_count():
        return "transfer_target_too_few"
    return "attack_limit" if total > bout_limit(state, target) else None
