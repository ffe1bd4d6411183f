"""Every move that is allowed, found by asking for each."""

from itertools import permutations
from typing import TYPE_CHECKING, Any

from tests.reference.cards import SUITS, rank
from tests.reference.shedding.refusals import why_not

if TYPE_CHECKING:
    from tests.reference.shedding.table import Table

Move = dict[str, Any]


def all_moves(table: "Table", seat: int) -> list[Move]:
    """Every allowed move: the same cards in another order are another move."""
    return [move for move in thinkable(table, seat) if why_not(table, seat, move) is None]


def thinkable(table: "Table", seat: int) -> list[Move]:
    """Moves with cards of the hand, allowed or not."""
    moves: list[Move] = [{"type": "draw"}, {"type": "pass"}]
    moves += [{"type": "name_suit", "suit": named} for named in SUITS]
    for cards in layable(table.hands[seat]):
        play = {"type": "play", "cards": cards}
        moves.append(play)
        moves += [play | {"suit": named} for named in SUITS]
    return moves


def layable(hand: list[str]) -> list[list[str]]:
    """Single cards, and several of one rank in every order."""
    sets = [[card] for card in hand]
    for name in sorted({rank(card) for card in hand}):
        alike = [card for card in hand if rank(card) == name]
        for count in range(2, len(alike) + 1):
            sets += [list(cards) for cards in permutations(alike, count)]
    return sets
