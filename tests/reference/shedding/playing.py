"""What an accepted move does to the table."""

from typing import TYPE_CHECKING

from tests.reference.cards import rank, suit
from tests.reference.moves import Move, cards_of
from tests.reference.shedding import ending
from tests.reference.shedding.cards import worth
from tests.reference.shedding.drawing import take_card, turn_over
from tests.reference.shedding.matching import ends_the_drawing
from tests.reference.shedding.refusals import draws_on

if TYPE_CHECKING:
    from tests.reference.shedding.table import Table

Penalty = dict[str, int]
NO_EFFECT: Penalty = {"draw": 0, "skip": 0}


def make(table: "Table", seat: int, move: Move) -> None:
    """Make a move that is allowed."""
    MAKE[move["type"]](table, seat, move)


def play(table: "Table", seat: int, move: Move) -> None:
    cards = cards_of(move)
    lay(table, seat, cards)
    table.passed = []
    table.drawn = None
    table.ace_suit = None
    table.named_suit = move.get("suit")
    if opens_ace_chain(table, cards[-1]) and table.hands[seat]:
        table.ace_suit = suit(cards[-1])
        table.phase = "ace_chain"
    else:
        act_on_the_next(table, seat, cards)


def lay(table: "Table", seat: int, cards: list[str]) -> None:
    for card in cards:
        table.hands[seat].remove(card)
        table.discard_pile.append(card)
    if not table.hands[seat]:
        table.out.append(seat)
        table.last_card[seat] = cards[-1]


def act_on_the_next(table: "Table", seat: int, cards: list[str]) -> None:
    """Who suffers what the cards do, and whose turn it is; a last card acts before the count."""
    penalty = stacked(table, seat, penalty_of(table, seat, cards))
    table.pending = None
    following = circle(table, seat)
    if ending.is_over(table):
        suffer(table, following[0], penalty)
        ending.finish_played_out(table)
    elif may_be_passed_on(table, penalty):
        table.pending = penalty
        turn_goes_to(table, following[0])
    else:
        suffer(table, following[0], penalty)
        skipped = max(penalty["skip"], skips_by_order(table, seat))
        turn_goes_to(table, after_skips(table, seat, skipped))


def draw(table: "Table", seat: int, move: Move) -> None:
    table.passed = []
    if table.pending is not None:
        accept_penalty(table, seat)
    elif table.phase == "ace_chain":
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
    if table.pending is not None:
        accept_penalty(table, seat)
        return
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
    """G10: the opened card is the dealer's move, and acts on who plays first and those after."""
    order = [(table.first_player + step) % table.seats for step in range(table.seats)]
    penalty = stacked(table, table.dealer, penalty_of(table, table.dealer, table.discard_pile))
    if may_be_passed_on(table, penalty):
        table.pending = penalty
        turn_goes_to(table, order[0])
    else:
        suffer(table, order[0], penalty)
        skipped = max(penalty["skip"], skips_by_order(table, table.dealer))
        turn_goes_to(table, order[skipped])


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
    others = circle(table, seat)
    if skipped >= len(others):
        return seat if table.hands[seat] else others[0]
    return others[skipped]


def opens_ace_chain(table: "Table", card: str) -> bool:
    """C5-V4a; such an ace has no effect of its own (G18)."""
    return table.options["ace_chain"] == "english" and rank(card) == "A"


def penalty_of(table: "Table", seat: int, cards: list[str]) -> Penalty:
    """What the cards of a seat do to the next one: how many he draws, how many seats skip."""
    if is_without_effect(table, seat):
        return NO_EFFECT
    effects = [effect_of(table, card) for card in cards]
    skip = skips_of(table, cards, [effect["skip"] for effect in effects])
    return {"draw": sum(effect["draw"] for effect in effects), "skip": skip}


def skips_by_order(table: "Table", seat: int) -> int:
    """C5-V6b: after an order the next one skips."""
    ordered = table.named_suit is not None and not is_without_effect(table, seat)
    return 1 if table.options["order_skips_next"] and ordered else 0


def is_without_effect(table: "Table", seat: int) -> bool:
    """G19: whether a seat has gone out where last cards do nothing."""
    return not table.hands[seat] and not table.options["last_card_effect"]


def may_be_passed_on(table: "Table", penalty: Penalty) -> bool:
    """`stacking`: whether the next one is asked first."""
    return table.options["stacking"] == "same_rank" and penalty != NO_EFFECT


def stacked(table: "Table", seat: int, more: Penalty) -> Penalty:
    """`stacking`: a penalty that a seat passes on, and what its card adds to it."""
    before = table.pending or NO_EFFECT
    skip = min(max(before["skip"], more["skip"]), len(circle(table, seat)))
    return {"draw": before["draw"] + more["draw"], "skip": skip}


def suffer(table: "Table", seat: int, penalty: Penalty) -> None:
    """3.6: the cards are drawn at once."""
    for _ in range(penalty["draw"]):
        take_card(table, seat)


def accept_penalty(table: "Table", seat: int) -> None:
    """`stacking`: who does not pass a penalty on draws and is the first to be skipped."""
    assert table.pending is not None
    penalty = table.pending
    table.pending = None
    suffer(table, seat, penalty)
    order = [seat, *circle(table, seat)]
    turn_goes_to(table, order[penalty["skip"] % len(order)])


def skips_of(table: "Table", cards: list[str], skips: list[int]) -> int:
    """G16: each of several aces skips one opponent more; other cards, or as agreed, are as one."""
    each = rank(cards[0]) == "A" and table.options["ace_multi"] == "per_ace_capped"
    return sum(skips) if each else max(skips)


def effect_of(table: "Table", card: str) -> Penalty:
    if opens_ace_chain(table, card):
        return NO_EFFECT
    effect: Penalty = worth(table.options["effects"], card, NO_EFFECT)
    return effect


MAKE = {"play": play, "draw": draw, "pass": pass_turn, "name_suit": name_suit}
