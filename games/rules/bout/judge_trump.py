"""Judging what happens beside the bout: the exchange of the trump, the call of a wrong card."""

from games.rules.cards import BIT, lowest_of_suit
from games.rules.events import Seat
from games.rules.moves import Move
from games.rules.state import Play, State


def exchange(state: State, seat: Seat, move: Move) -> str | None:
    """Why the lowest trump cannot be exchanged for the open card now (C1-29, 3.7, 5)."""
    if state.rules.trump_exchange == "none" or state.trump is None:
        return "exchange_disabled"
    if seat not in state.to_act:
        return "not_your_turn"
    if not BIT[lowest_of_suit(state.rules.deck_size, state.trump)] & state.hands[seat]:
        return "card_not_in_hand"
    if state.turn_up is None:
        return "exchange_talon_gone"
    if state.rules.trump_exchange == "six_for_ace" and state.turn_up[0] != "A":
        return "exchange_turnup_not_ace"
    if state.lowest_trump_owner not in (None, seat):
        return "exchange_not_original_holder"
    return None


def call(state: State, seat: Seat, move: Move) -> str | None:
    """Why a call is refused: there was no wrong play of this card by somebody else (3.7, 11)."""
    if state.rules.enforcement != "catchable":
        return "call_disabled"
    if not move.cards:
        return "no_cards"
    play = called(state, move)
    return None if play is not None and play.wrong and play.seat != seat else "call_unfounded"


def called(state: State, move: Move) -> Play | None:
    """The play of this bout that a call is about."""
    return next((play for play in state.plays if play.card == move.cards[0]), None)
