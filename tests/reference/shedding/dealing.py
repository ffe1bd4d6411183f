"""The deal, from a pack in a given order."""

from typing import Any

from tests.reference.shedding import playing
from tests.reference.shedding.cards import is_wild
from tests.reference.shedding.table import Table


def deal(
    pack: list[str], players: int, dealer: int, options: dict[str, Any], first: int | None = None
) -> Table:
    """A game at its start; `first` is who plays first where neither dealer nor card decides it."""
    pack = list(pack)
    hands: list[list[str]] = [[] for _ in range(players)]
    for _ in range(options["deal"]):
        for step in range(1, players + 1):
            hands[(dealer + step) % players].append(pack.pop(0))
    pile = []
    if options["starter"] == "dealer_last_card":
        pile.append(hands[dealer].pop())
    elif options["starter"] == "deck_top":
        pile.append(pack.pop(0))
    left = (dealer + 1) % players
    position = {
        "hands": hands,
        "discard_pile": pile,
        "talon": pack,
        "to_act": left if first is None else first,
        "dealer": dealer,
    }
    table = Table(position, options)
    if pile and options["starter_effect"]:
        open_with(table, pile[0])
    return table


def next_dealer(previous: dict[str, Any], players: int, options: dict[str, Any]) -> int:
    """`next_dealer`: the loser or the winner of the last game; the next clockwise if none."""
    named = {"loser": previous["durak"], "winner": previous["winner"], "rotate": None}
    dealer: int | None = named[options["next_dealer"]]
    return (previous["dealer"] + 1) % players if dealer is None else dealer


def next_first(
    previous: dict[str, Any], dealer: int, players: int, options: dict[str, Any]
) -> int | None:
    """C5-06: the winner of the last game, or the dealer's left; None if chance decides."""
    if options["next_first"] == "dealer_left":
        return (dealer + 1) % players
    winner: int | None = previous["winner"]
    return winner


def open_with(table: Table, card: str) -> None:
    """G10, 3.7 (25): the dealer's card acts on the next one, for a wild he names a suit first."""
    if is_wild(card, table.options):
        table.to_act = table.dealer
        table.phase = "name_suit"
    else:
        playing.let_the_starter_act(table)
