"""Whether a game could be in a position that was written down, not played."""

from collections.abc import Iterator
from itertools import takewhile

from msgspec.structs import replace

from games.rules.cards import BIT, Card, pack
from games.rules.events import Penalty
from games.rules.shedding.fitting import may_draw_more, plain_fit, stops
from games.rules.shedding.legal import legal_moves
from games.rules.shedding.scoring import is_over
from games.rules.shedding.state import ACE_CHAIN, DRAWN, NAME_SUIT, PLAY, SheddingState
from games.rules.shedding.tables import tables
from games.rules.state import FINISHED

Fault = tuple[str, str]


def unsound(state: SheddingState, stalled: bool = False) -> dict[str, str]:
    """What no game could have, by the position's fields; empty if it is sound."""
    found = dict([*_bystanders(state), *_pile(state), *_last_cards(state)])
    if state.phase == FINISHED:
        over = stalled or is_over(state)
        return found | ({} if over else {"game_over": "more than one seat may still play"})
    return found or dict([*_turn(state), *_right(state)]) or _stuck(state)


def _bystanders(state: SheddingState) -> Iterator[Fault]:
    if any(state.hands[seat] for seat in state.out):
        yield "out_in_order", "who is out holds no cards"
    if any(seat in state.out for seat in state.passed):
        yield "passed", "names seats in the game"
    if state.phase != FINISHED and is_over(state):
        yield "hands", "by the rules the game is over"


def _pile(state: SheddingState) -> Iterator[Fault]:
    if state.named_suit is not None and not _may_have_named(state):
        yield "named_suit", "no card lies on top with which a suit is named"
    if state.pending is not None and (state.rules.stacking == "none" or not state.pile):
        yield "pending", "no penalty is passed on here"
    elif state.pending is not None and not _is_due(state, state.pending):
        yield "pending", "not what the cards of one rank on top demand"


def _may_have_named(state: SheddingState) -> bool:
    """A pile that was turned over no longer tells whether its card was laid on an ace."""
    if not state.pile:
        return False
    over_an_ace = state.pile[-2:-1] == () or state.pile[-2][0] == "A"
    chained = state.rules.ace_chain == "english" and over_an_ace
    return bool(BIT[state.pile[-1]] & tables(state.rules).wild) or chained


def _is_due(state: SheddingState, pending: Penalty) -> bool:
    """Whether the cards of one rank on top can have added up to this penalty."""
    same = takewhile(lambda card: card[0] == state.pile[-1][0], reversed(state.pile))
    effects = [tables(state.rules).effects[card] for card in same]
    most = Penalty(sum(one.draw for one in effects), sum(one.skip for one in effects))
    fits = pending.draw <= most.draw and pending.skip <= most.skip
    return fits and bool(pending.draw or pending.skip)


def _last_cards(state: SheddingState) -> Iterator[Fault]:
    named = [card for card in state.last_cards if card is not None]
    if not set(named) <= set(pack(state.rules.deck_size)):
        yield "last_cards", "not in this pack"
    elif state.rules.end == "first_out" and {*named} - {*state.pile[-1:]}:
        yield "last_cards", "the last card still lies on top"


def _passes(state: SheddingState, seat: int) -> Iterator[Fault]:
    """Plays and draws end a row of passes; more than one in a row means an empty talon."""
    if state.passed and (state.phase != PLAY or state.pending is not None):
        yield "passed", "nobody has passed since the last play or draw"
    elif len(state.passed) > 1 and may_draw_more(state):
        yield "passed", "there are cards to draw"
    elif seat in state.passed and (state.rules.stacking == "none" or may_draw_more(state)):
        yield "passed", "names the seat to act"


def _draws(state: SheddingState, seat: int, card: Card) -> Iterator[Fault]:
    """Who drew had nothing that fits, and drew on until something did (C5-09, C5-V1)."""
    others = replace(state, hands=tuple(hand & ~BIT[card] for hand in state.hands))
    if plain_fit(others, seat):
        yield "drawn", "another card in this hand could have been played"
    elif state.rules.draw_rule == "until_playable" and not BIT[card] & stops(state):
        yield "drawn", "no card at which drawing ends"


def _turn(state: SheddingState) -> Iterator[Fault]:
    if len(state.to_act) != 1 or state.to_act[0] in state.out:
        yield "to_act", "one seat in the game is to act"
        return
    seat, card = state.to_act[0], state.drawn
    if state.phase not in (DRAWN, ACE_CHAIN) and card is not None:
        yield "drawn", f"nobody has drawn in the phase {state.phase}"
    if state.phase == DRAWN and (card is None or not state.pile):
        yield "drawn", "required after a draw, and a card to follow"
    if card is not None and not BIT[card] & state.hands[seat]:
        yield "drawn", "is not in the hand of the seat to act"
    elif card is not None and state.phase == DRAWN and state.pile:
        yield from _draws(state, seat, card)
    yield from _passes(state, seat)
    if state.phase == NAME_SUIT and not _names(state, seat):
        yield "phase", "only a dealer who opened a card that names a suit names one"


def _names(state: SheddingState, seat: int) -> bool:
    opened = state.rules.starter != "none" and state.rules.starter_effect
    wild = len(state.pile) == 1 and BIT[state.pile[0]] & tables(state.rules).wild
    return bool(opened and wild and seat == state.dealer)


def _right(state: SheddingState) -> Iterator[Fault]:
    """Who has the right of an ace: its owner in the chain, or the seat to act."""
    chained = state.rules.ace_chain == "english" and state.pile[-1:] and state.pile[-1][0] == "A"
    if state.phase == ACE_CHAIN and not (chained and state.named_suit is None):
        yield "phase", "no ace lies on top that takes a second card"
    if state.ace_right is None:
        return
    if state.phase in (ACE_CHAIN, NAME_SUIT) or not chained or state.ace_right not in state.to_act:
        yield "ace_right", "only the next seat to act has the right of an ace"


def _stuck(state: SheddingState) -> dict[str, str]:
    if not legal_moves(state, state.to_act[0]):
        return {"phase": "nobody could act here"}
    if len(state.passed) + len(state.out) == state.seats:
        return {"passed": "by the rules the game is over"}
    return {}
