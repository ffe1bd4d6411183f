"""Why a move is refused, in the rulebook's order (3.7): turn, phase, cards, count, match, suit."""

from typing import TYPE_CHECKING

from tests.reference.cards import rank, suit
from tests.reference.moves import Move, cards_of
from tests.reference.shedding.cards import is_wild
from tests.reference.shedding.drawing import something_to_draw
from tests.reference.shedding.matching import plain_cards_that_fit, why_not_on_the_pile

if TYPE_CHECKING:
    from tests.reference.shedding.table import Table


def why_not(table: "Table", seat: int, move: Move) -> str | None:
    """The code of the refusal, or None if the move is allowed."""
    if table.result is not None:
        return "game.over"
    reason = why_not_now(table, seat, move) or WHY_NOT[move["type"]](table, seat, move)
    return None if reason is None else "move." + reason


def why_not_now(table: "Table", seat: int, move: Move) -> str | None:
    if seat != table.to_act:
        return "not_your_turn"
    if (move["type"] == "name_suit") != (table.phase == "name_suit"):
        return "wrong_phase"
    return None


def why_no_play(table: "Table", seat: int, move: Move) -> str | None:
    cards = cards_of(move)
    return (
        why_not_these(table, seat, cards)
        or why_not_so_many(table, cards)
        or why_no_match(table, seat, cards[0])
        or why_not_this_suit(table, cards, move.get("suit"))
    )


def why_not_these(table: "Table", seat: int, cards: list[str]) -> str | None:
    if not cards:
        return "no_cards"
    if len(set(cards)) < len(cards):
        return "duplicate_card"
    if any(card not in table.hands[seat] for card in cards):
        return "card_not_in_hand"
    if table.drawn is not None and cards[0] != table.drawn:
        return "only_drawn_card"
    return None


def why_not_so_many(table: "Table", cards: list[str]) -> str | None:
    """A-19: some ranks may be laid in certain numbers; one card always may."""
    if len(cards) == 1:
        return None
    if table.phase == "ace_chain":
        return "multi_not_allowed"
    if not any(len(cards) in counts for counts in table.options["multi_play"].values()):
        return "multi_not_allowed"
    if any(rank(card) != rank(cards[0]) for card in cards):
        return "ranks_differ"
    counts = table.options["multi_play"].get(rank(cards[0]), [])
    return None if len(cards) in counts else "multi_not_allowed"


def why_no_match(table: "Table", seat: int, card: str) -> str | None:
    if table.phase == "ace_chain":
        return None if suit(card) == table.ace_suit else "not_ace_suit"
    return why_not_on_the_pile(table, seat, card)


def why_not_this_suit(table: "Table", cards: list[str], named: str | None) -> str | None:
    """C5-16 a wild may name a suit; C5-V4a, C5-V4c what covers an ace names another one."""
    if named is None:
        return "suit_required" if table.phase == "ace_chain" else None
    if is_wild(cards[0], table.options):
        return None
    if not covers_an_ace(table, cards):
        return "suit_not_allowed"
    return "suit_same_as_ace" if named == table.ace_suit else None


def covers_an_ace(table: "Table", cards: list[str]) -> bool:
    return len(cards) == 1 and suit(cards[0]) == table.ace_suit


def why_no_draw(table: "Table", seat: int, move: Move) -> str | None:
    if not may_want_a_card(table, seat):
        return "draw_not_allowed"
    return None if something_to_draw(table) else "nothing_to_draw"


def may_want_a_card(table: "Table", seat: int) -> bool:
    """Whether drawing is the thing to do, if there is anything to draw."""
    if table.pending is not None:
        return table.pending["draw"] > 0
    if table.phase == "ace_chain":
        return table.drawn is None and not ace_suit_in_hand(table, seat)
    if not table.discard_pile or plain_cards_that_fit(table, seat):
        return False
    return table.phase == "play" or draws_on(table)


def draws_on(table: "Table") -> bool:
    """3.7 (17): one who drew a wild may go on drawing until he gets a plain card."""
    return bool(table.options["draw_rule"] == "until_playable")


def ace_suit_in_hand(table: "Table", seat: int) -> list[str]:
    return [card for card in table.hands[seat] if suit(card) == table.ace_suit]


def why_no_pass(table: "Table", seat: int, move: Move) -> str | None:
    return None if may_pass(table, seat) else "pass_not_allowed"


def may_pass(table: "Table", seat: int) -> bool:
    if table.pending is not None:
        return not (may_want_a_card(table, seat) and something_to_draw(table))
    if not table.discard_pile:
        return False
    if table.phase == "drawn":
        return may_keep_the_drawn_card(table)
    if table.phase == "ace_chain":
        return not (may_want_a_card(table, seat) and something_to_draw(table))
    return not plain_cards_that_fit(table, seat) and not something_to_draw(table)


def may_keep_the_drawn_card(table: "Table") -> bool:
    """A-11 he may play it; C5-V1, 3.7 (16) he must if it fits, unless it is a wild."""
    assert table.drawn is not None
    if is_wild(table.drawn, table.options):
        return not draws_on(table) or not something_to_draw(table)
    if table.options["drawn_card"] == "may_play":
        return True
    return why_not_on_the_pile(table, table.to_act, table.drawn) is not None


def why_no_name_suit(table: "Table", seat: int, move: Move) -> str | None:
    return None


WHY_NOT = {
    "play": why_no_play,
    "draw": why_no_draw,
    "pass": why_no_pass,
    "name_suit": why_no_name_suit,
}
