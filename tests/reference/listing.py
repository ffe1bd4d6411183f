"""Every move that is allowed, found by asking for each."""

from itertools import combinations
from typing import TYPE_CHECKING, Any

from tests.reference.refusals import why_not

if TYPE_CHECKING:
    from tests.reference.table import Table


def all_moves(table: "Table", seat: int, most: int) -> list[dict[str, Any]]:
    """Every allowed move of at most `most` cards, calls apart."""
    return [move for move in thinkable(table, seat, most) if why_not(table, seat, move) is None]


def thinkable(table: "Table", seat: int, most: int) -> list[dict[str, Any]]:
    """Moves with cards of the hand, allowed or not."""
    hand = table.hands[seat]
    moves: list[dict[str, Any]] = [{"type": "take"}, {"type": "pass"}, {"type": "exchange_trump"}]
    for card in hand:
        moves.append({"type": "show_trump", "cards": [card]})
        for attack, _ in table.table:
            moves.append({"type": "beat", "target": attack, "cards": [card]})
    for name in ("attack", "throw_in", "transfer"):
        if only_cards_are_missing(table, seat, name):
            for count in range(1, most + 1):
                subsets = combinations(hand, count)
                moves += [{"type": name, "cards": list(cards)} for cards in subsets]
    return moves


def only_cards_are_missing(table: "Table", seat: int, name: str) -> bool:
    """Whether a move of this type could be allowed at all: with no cards it lacks just these."""
    return why_not(table, seat, {"type": name, "cards": []}) == "move.no_cards"


def callable_cards(table: "Table", seat: int) -> list[str]:
    """Every card that others beat with or threw in during this bout (3.7, 11)."""
    return [play["card"] for play in table.plays if play["seat"] != seat]
