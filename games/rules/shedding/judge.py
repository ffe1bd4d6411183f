"""The judge of shedding moves: why a move is not allowed, in the order of the rulebook's 3.7.

Each check is a function of public facts and of the mover's own hand alone, so that no refusal
tells where a card is that the mover does not hold.
"""

from collections.abc import Callable
from typing import Final

from games.rules.cards import BIT, SUIT_MASK, Card, to_set
from games.rules.errors import MalformedMove
from games.rules.events import Seat
from games.rules.moves import Move
from games.rules.shedding.fitting import fitting, may_draw_more, plain_fit, wild_fit
from games.rules.shedding.state import ACE_CHAIN, DRAWN, NAME_SUIT, PLAY, SheddingState
from games.rules.shedding.tables import tables
from games.rules.state import FINISHED


def why_not(state: SheddingState, seat: Seat, move: Move) -> str | None:
    """The code that refuses this move now, or None if it is legal.

    Raises MalformedMove for cards named by slot.
    """
    if move.slots:
        raise MalformedMove({"slots": "this ruleset names cards by face"})
    if state.phase == FINISHED:
        return "game.over"
    if seat not in state.to_act:
        return "move.not_your_turn"
    if (state.phase == NAME_SUIT) != (move.type == "name_suit"):
        return "move.wrong_phase"
    reason = _JUDGES[move.type](state, seat, move)
    return None if reason is None else "move." + reason


def _play(state: SheddingState, seat: Seat, move: Move) -> str | None:
    if (fault := _cards_fault(state, seat, move.cards)) is not None:
        return fault
    if state.drawn is not None and move.cards[0] != state.drawn:
        return "only_drawn_card"
    if len(move.cards) > 1 and (fault := _count_fault(state, move.cards)) is not None:
        return fault
    return _match_fault(state, seat, move.cards[0]) or _suit_fault(state, seat, move)


def _cards_fault(state: SheddingState, seat: Seat, named: tuple[Card, ...]) -> str | None:
    if not named:
        return "no_cards"
    cards = to_set(named)
    if cards.bit_count() != len(named):
        return "duplicate_card"
    return "card_not_in_hand" if cards & ~state.hands[seat] else None


def _count_fault(state: SheddingState, cards: tuple[Card, ...]) -> str | None:
    """Why so many cards cannot be laid at once (A-19)."""
    counts, count = tables(state.rules).counts, len(cards)
    if state.phase == ACE_CHAIN or not any(count in allowed for allowed in counts.values()):
        return "multi_not_allowed"
    if len({card[0] for card in cards}) > 1:
        return "ranks_differ"
    return None if count in counts.get(cards[0][0], ()) else "multi_not_allowed"


def _match_fault(state: SheddingState, seat: Seat, first: Card) -> str | None:
    card = BIT[first]
    if state.phase == ACE_CHAIN:
        return None if card & fitting(state) else "not_ace_suit"
    if card & tables(state.rules).wild:
        return None if card & wild_fit(state, seat) else "wild_not_allowed"
    return None if card & fitting(state) else "no_match"


def _suit_fault(state: SheddingState, seat: Seat, move: Move) -> str | None:
    """Why a suit must be named with this play, or that one cannot be (3.7, 22 and 23)."""
    if move.suit is None:
        return "suit_required" if state.phase == ACE_CHAIN else None
    if BIT[move.cards[-1]] & tables(state.rules).wild:
        return None
    if state.phase != ACE_CHAIN and not has_right(state, seat, move.cards):
        return "suit_not_allowed"
    return "suit_same_as_ace" if move.suit == state.pile[-1][1] else None


def has_right(state: SheddingState, seat: Seat, cards: tuple[Card, ...]) -> bool:
    """Whether an ace's right lets a seat name a suit with these: one of its suit (C5-V4c)."""
    if seat != state.ace_right or len(cards) > 1:
        return False
    return bool(BIT[cards[0]] & SUIT_MASK[state.pile[-1][1]])


def draw_fault(state: SheddingState, seat: Seat) -> str | None:
    """Why the seat to act cannot draw now (G12, G14, 3.7, 17 and 20)."""
    if not _draws(state, seat):
        return "draw_not_allowed"
    return None if may_draw_more(state) else "nothing_to_draw"


def _draws(state: SheddingState, seat: Seat) -> bool:
    if state.pending is not None:
        return state.pending.draw > 0
    if state.phase == PLAY:
        return bool(state.pile) and not plain_fit(state, seat)
    if state.drawn is None:
        return not plain_fit(state, seat) and not wild_fit(state, seat)
    goes_on = state.phase == DRAWN and state.rules.draw_rule == "until_playable"
    return goes_on and bool(BIT[state.drawn] & tables(state.rules).wild)


def pass_fault(state: SheddingState, seat: Seat) -> str | None:
    """Why the seat to act cannot pass now (3.7, 16, 17, 19 and 23)."""
    return None if _passes(state, seat) else "pass_not_allowed"


def _passes(state: SheddingState, seat: Seat) -> bool:
    if state.phase == DRAWN:
        return _keeps(state, seat)
    if _draws(state, seat):
        return not may_draw_more(state)
    return state.phase == ACE_CHAIN or state.pending is not None


def _keeps(state: SheddingState, seat: Seat) -> bool:
    """Whether the card just drawn may be kept."""
    rules, card = state.rules, BIT[state.drawn or ""]
    if card & plain_fit(state, seat):
        return rules.drawn_card == "may_play"
    return rules.draw_rule == "one" or not may_draw_more(state)


def _draw(state: SheddingState, seat: Seat, move: Move) -> str | None:
    return draw_fault(state, seat)


def _pass(state: SheddingState, seat: Seat, move: Move) -> str | None:
    return pass_fault(state, seat)


def _name_suit(state: SheddingState, seat: Seat, move: Move) -> str | None:
    return "suit_required" if move.suit is None else None


_JUDGES: Final[dict[str, Callable[[SheddingState, Seat, Move], str | None]]] = {
    "play": _play,
    "draw": _draw,
    "pass": _pass,
    "name_suit": _name_suit,
}
