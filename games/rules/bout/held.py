"""Cards in hands, by face or by slot."""

from msgspec.structs import replace

from games.rules.cards import Card, to_set
from games.rules.errors import MalformedMove
from games.rules.events import Seat
from games.rules.moves import Move
from games.rules.state import State


def resolve(state: State, seat: Seat, move: Move) -> Move:
    """The move with faces in place of slots.

    Slots that hold no card are left out of `cards`, which `cards_fault` then finds too few.
    Raises MalformedMove for slots where hands are held the ordinary way.
    """
    if not move.slots:
        return move
    if not state.slots:
        raise MalformedMove({"slots": "this ruleset names cards by face"})
    held = dict(enumerate(state.slots[seat], state.slot_base[seat]))
    found = (held.get(slot) for slot in move.slots)
    return replace(move, cards=tuple(card for card in found if card is not None))


def slot_numbers(state: State, seat: Seat) -> tuple[int, ...]:
    """The numbers of a seat's slots that hold a card."""
    numbered = enumerate(state.slots[seat], state.slot_base[seat])
    return tuple(number for number, card in numbered if card is not None)


def slots_of(state: State, seat: Seat, cards: tuple[Card, ...]) -> tuple[int, ...]:
    """The numbers of the slots that hold these cards; none if hands are held the ordinary way."""
    if not state.slots:
        return ()
    places, base = state.slots[seat], state.slot_base[seat]
    return tuple(base + places.index(card) for card in cards)


def cards_fault(state: State, seat: Seat, move: Move) -> str | None:
    """Why these cards cannot be played at all: none, one twice, one that is not in the hand."""
    if len(move.slots) > len(move.cards):
        twice = len(set(move.slots)) < len(move.slots)
        return "duplicate_card" if twice else "card_not_in_hand"
    if not move.cards:
        return "no_cards"
    if len(move.cards) > 1 and len(set(move.cards)) < len(move.cards):
        return "duplicate_card"
    return "card_not_in_hand" if to_set(move.cards) & ~state.hands[seat] else None
