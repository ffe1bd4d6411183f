"""Which card may lie on which."""

from typing import TYPE_CHECKING

from tests.reference.cards import rank, suit
from tests.reference.shedding.cards import is_wild

if TYPE_CHECKING:
    from tests.reference.shedding.table import Table


def fits(table: "Table", card: str) -> bool:
    """C5-08: whether a card follows by suit or by rank; under a named suit by that alone."""
    if not table.discard_pile:
        return True
    if table.pending is not None:
        return rank(card) == rank(table.discard_pile[-1])
    if table.named_suit is not None:
        return suit(card) == table.named_suit
    top = table.discard_pile[-1]
    if suit(card) == suit(top):
        return True
    if rank(card) != rank(top):
        return False
    if table.options["match"] == "suit_or_rank":
        return True
    return rank(card) in table.options["rank_match_only"]


def plain_cards_that_fit(table: "Table", seat: int) -> list[str]:
    """What keeps a seat from drawing; a wild never does (G12)."""
    hand = table.hands[seat]
    return [card for card in hand if not is_wild(card, table.options) and fits(table, card)]


def why_not_on_the_pile(table: "Table", seat: int, card: str) -> str | None:
    """Why a card may not be laid on the pile, or None."""
    if not is_wild(card, table.options):
        return None if fits(table, card) else "no_match"
    return None if wild_is_allowed(table, seat, card) else "wild_not_allowed"


def wild_is_allowed(table: "Table", seat: int, card: str) -> bool:
    """C5-15 on anything; A-17 without a plain card only; G15 a wild that fits is one of many."""
    if not table.discard_pile:
        return True
    if table.pending is not None:
        return fits(table, card)
    if rank(table.discard_pile[-1]) in table.options["wild_blocked_on"]:
        return False
    if table.options["wild_condition"] == "always" or fits(table, card):
        return True
    return not plain_cards_that_fit(table, seat)


def ends_the_drawing(table: "Table", seat: int, card: str) -> bool:
    """C5-09, 3.7 (17): whether one who draws until he can play stops at this card."""
    return why_not_on_the_pile(table, seat, card) is None
