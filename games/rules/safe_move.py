"""The safe move: what is played for a seat whose time is up (X01)."""

from typing import Final

from games.rules import engine
from games.rules.cards import RANK, Card, Suit
from games.rules.engine import AnyState
from games.rules.events import Seat
from games.rules.moves import Move
from games.rules.patterns import Pattern
from games.rules.state import State

_WAITING: Final = ("pass", "take", "draw")
# A call is never due, and what shows or gives away more comes last.
_ACTIVE: Final = (
    *("attack", "beat", "play", "name_suit"),
    *("throw_in", "transfer", "show_trump", "exchange_trump"),
)


def safe_move(state: AnyState, seat: Seat) -> Move:
    """The move of a seat that says nothing (X01); the same state always gives the same one.

    Who may pass passes, a defender takes, who sheds draws. Who must play a card plays his lowest:
    plain before trumps, in a shedding game before cards that name a suit; by rank, then by suit.
    Of a hand held face out it is the first slot. Raises ValueError if the seat has no move.
    """
    patterns = engine.legal_moves(state, seat)
    for kind in _WAITING:
        if any(pattern.type == kind for pattern in patterns):
            return Move(kind)
    trump = state.trump if isinstance(state, State) else None
    for kind in _ACTIVE:
        if fitting := [pattern for pattern in patterns if pattern.type == kind]:
            return _lowest(fitting, trump)
    raise ValueError(f"seat {seat} has no move")


def _lowest(patterns: list[Pattern], trump: Suit | None) -> Move:
    singles = [(pattern, card) for pattern in patterns for card in _single(pattern)]
    if not singles:
        return _smallest(patterns[0])
    chosen, card = min(singles, key=lambda single: _cost(single[0], single[1], trump))
    return Move(chosen.type, cards=(card,), target=chosen.target, suit=_suit(chosen))


def _single(pattern: Pattern) -> tuple[Card, ...]:
    """The cards of a pattern that may be played alone."""
    if pattern.min != 1 or pattern.cards is None:
        return ()
    return pattern.first or pattern.cards


def _smallest(pattern: Pattern) -> Move:
    least = pattern.min or 0
    return Move(
        pattern.type,
        cards=(pattern.cards or ())[:least],
        slots=(pattern.slots or ())[:least],
        target=pattern.target,
        suit=_suit(pattern),
    )


def _suit(pattern: Pattern) -> Suit | None:
    return pattern.suits[0] if pattern.suits else None


def _cost(pattern: Pattern, card: Card, trump: Suit | None) -> tuple[bool, bool, int, str]:
    return bool(pattern.suits), card[1] == trump, RANK[card], card
