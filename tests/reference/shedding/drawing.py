"""The talon and the pile that becomes the talon again."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.reference.shedding.table import Table


def something_to_draw(table: "Table") -> bool:
    """Whether the talon has a card, or would have one after turning over the pile."""
    return bool(table.talon) or len(table.discard_pile) > 1


def turn_over(table: "Table") -> None:
    """A-13, C5-10: the top card stays, what lies under it is the talon, first played first."""
    below, top = table.discard_pile[:-1], table.discard_pile[-1:]
    if table.options["recycle"] == "shuffle" and below:
        below = table.shuffle(below)
    table.talon = below
    table.discard_pile = top


def take_card(table: "Table", seat: int) -> str | None:
    """A card from the talon into a hand, None if there is no card anywhere."""
    if not table.talon:
        turn_over(table)
    if not table.talon:
        return None
    card = table.talon.pop(0)
    table.hands[seat].append(card)
    return card
