"""What an accepted move does to the table."""

from typing import TYPE_CHECKING, Any

from tests.reference.shedding import ending
from tests.reference.shedding.cards import is_wild, rank, suit, worth
from tests.reference.shedding.drawing import take_card, turn_over
from tests.reference.shedding.matching import ends_the_drawing
from tests.reference.shedding.refusals import cards_of, draws_on

if TYPE_CHECKING:
    from tests.reference.shedding.table import Table

Move = dict[str, Any]
NO_EFFECT = {"draw": 0, "skip": 0}


def make(table: "Table", seat: int, move: Move) -> None:
    """Make a move that is allowed."""
    MAKE[move["type"]](table, seat, move)


def play(table: "Table", seat: int, move: Move) -> None:
    cards = cards_of(move)
    for card in cards:
        table.hands[seat].remove(card)
        table.discard_pile.append(card)
    table.passed = []
    table.drawn = None
    table.ace_suit = None
    table.named_suit = move.get("suit")
    if not table.hands[seat]:
        table.out.append(seat)
        table.last_card[seat] = cards[-1]
    if opens_ace_chain(table, cards[-1]) and table.hands[seat]:
        table.ace_suit = suit(cards[-1])
        table.phase = "ace_chain"
        return
    skipped = have_effect(table, circle(table, seat), seat, cards)
    if ending.is_over(table):
        ending.finish_played_out(table)
        return
    turn_goes_to(table, after_skips(table, seat, skipped))


def draw(table: "Table", seat: int, move: Move) -> None:
    table.passed = []
    if table.phase == "ace_chain":
        table.drawn = take_card(table, seat)
    elif draws_on(table):
        draw_until_it_fits(table, seat)
    else:
        table.drawn = take_card(table, seat)
        table.phase = "drawn"


def draw_until_it_fits(table: "Table", seat: int) -> None:
    """C5-09 with 3.7 (17): with the end of the talon the turn ends too, and the pile turns over."""
    if not table.talon:
        turn_over(table)
    while table.talon:
        card = take_card(table, seat)
        assert card is not None
        if ends_the_drawing(table, seat, card):
            table.drawn = card
            table.phase = "drawn"
            return
        if not table.talon and table.options["draw_until_recycles"]:
            turn_over(table)
    turn_over(table)
    table.ace_suit = None
    turn_goes_to(table, after_skips(table, seat, 0))


def pass_turn(table: "Table", seat: int, move: Move) -> None:
    table.passed.append(seat)
    if table.phase != "ace_chain":
        table.ace_suit = None
    if len(table.passed) >= len(table.active()):
        ending.finish_stale(table, "stalemate")
        return
    turn_goes_to(table, after_skips(table, seat, 0))


def name_suit(table: "Table", seat: int, move: Move) -> None:
    table.named_suit = move["suit"]
    let_the_starter_act(table)


def let_the_starter_act(table: "Table") -> None:
    """G10: the opened card is the dealer's move."""
    dealer = table.dealer
    skipped = have_effect(table, circle(table, dealer), dealer, table.discard_pile)
    turn_goes_to(table, after_skips(table, dealer, skipped))


def turn_goes_to(table: "Table", seat: int) -> None:
    table.to_act = seat
    table.phase = "play"
    table.drawn = None


def circle(table: "Table", seat: int) -> list[int]:
    """The other seats in the game, clockwise from the left of a seat."""
    around = [(seat + step) % table.seats for step in range(1, table.seats)]
    return [other for other in around if other in table.active()]


def after_skips(table: "Table", seat: int, skipped: int) -> int:
    """Whose turn it is; who skips everybody moves again, or the next one if he is out."""
    order = circle(table, seat)
    if table.hands[seat]:
        order.append(seat)
    return order[skipped % len(order)]


def opens_ace_chain(table: "Table", card: str) -> bool:
    """C5-V4a; such an ace has no effect of its own (G18)."""
    return table.options["ace_chain"] == "english" and rank(card) == "A"


def have_effect(table: "Table", others: list[int], seat: int, cards: list[str]) -> int:
    """Let cards act on the others: who must draws at once. How many of them are skipped."""
    if not table.hands[seat] and not table.options["last_card_effect"]:
        return 0
    skipped = 0
    for card in acting(table, cards):
        if skipped < len(others):
            effect = effect_of(table, card)
            for _ in range(effect["draw"]):
                take_card(table, others[skipped])
            skipped = min(skipped + effect["skip"], len(others))
    if skips_by_order(table, cards[-1]):
        skipped = max(skipped, 1)
    return skipped


def acting(table: "Table", cards: list[str]) -> list[str]:
    """G16: each card acts, one opponent after the other, or all of them as one."""
    return cards[-1:] if table.options["ace_multi"] == "single" else cards


def effect_of(table: "Table", card: str) -> dict[str, int]:
    if opens_ace_chain(table, card):
        return NO_EFFECT
    effect: dict[str, int] = worth(table.options["effects"], card, NO_EFFECT)
    return effect


def skips_by_order(table: "Table", card: str) -> bool:
    """C5-V6b: after an order by the wild card the next one skips; 3.7 (22) only then."""
    ordered = is_wild(card, table.options) and table.named_suit is not None
    return bool(table.options["order_skips_next"]) and ordered


MAKE = {"play": play, "draw": draw, "pass": pass_turn, "name_suit": name_suit}
