"""Whether a game could be in a position that was written down, not played."""

from collections.abc import Iterator

from games.rules.cards import BIT
from games.rules.shedding.legal import legal_moves
from games.rules.shedding.scoring import is_over
from games.rules.shedding.state import ACE_CHAIN, DRAWN, NAME_SUIT, SheddingState
from games.rules.shedding.tables import tables
from games.rules.state import FINISHED

Fault = tuple[str, str]


def unsound(state: SheddingState, stalled: bool = False) -> dict[str, str]:
    """What no game could have, by the position's fields; empty if it is sound."""
    found = dict([*_bystanders(state), *_pile(state)])
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
    if not state.pile and state.named_suit is not None:
        yield "named_suit", "nothing has been played"
    if state.pending is not None and (state.rules.stacking == "none" or not state.pile):
        yield "pending", "no penalty is passed on here"


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
    if state.heir is None:
        return
    if state.phase in (ACE_CHAIN, NAME_SUIT) or not chained or state.heir not in state.to_act:
        yield "ace_right", "only the next seat to act has the right of an ace"


def _stuck(state: SheddingState) -> dict[str, str]:
    if not legal_moves(state, state.to_act[0]):
        return {"phase": "nobody could act here"}
    if len(state.passed) + len(state.out) == state.seats:
        return {"passed": "by the rules the game is over"}
    return {}
