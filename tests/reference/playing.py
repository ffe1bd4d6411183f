"""What an accepted move does to the table."""

from typing import TYPE_CHECKING, Any

from tests.reference import ending
from tests.reference.cards import lowest_trump
from tests.reference.moves import cards_of
from tests.reference.refusals import is_wrong_beat, is_wrong_transfer, wrong_throw_ins
from tests.reference.seating import next_opponent, waiting

if TYPE_CHECKING:
    from tests.reference.table import Table

Move = dict[str, Any]


def make(table: "Table", seat: int, move: Move) -> None:
    """Make a move that is allowed, and close the bout if nobody can add anything."""
    MAKE[move["type"]](table, seat, move)


def settle(table: "Table") -> None:
    """Say what follows: somebody has to beat, may throw in, or the bout is closed."""
    if table.phase == "take":
        if not waiting(table):
            ending.close_taken(table, table.defender)
        return
    table.phase = "throw_in"
    if any(cover is None for attack, cover in table.table):
        table.phase = "defend"
    elif not waiting(table):
        ending.close_beaten(table)


def shed(table: "Table", seat: int, cards: list[str]) -> None:
    """Cards leave a hand; whoever has none left is noted in that order (3.7, 7)."""
    for card in cards:
        table.hands[seat].remove(card)
    if not table.hands[seat]:
        table.emptied.append(seat)
        table.shed_with[seat] = cards


def give_back(table: "Table", seat: int, card: str) -> None:
    """A card returns from the table to a hand."""
    table.hands[seat].append(card)
    if seat in table.emptied:
        table.emptied.remove(seat)


def attack(table: "Table", seat: int, move: Move) -> None:
    shed(table, seat, cards_of(move))
    table.table = [[card, None] for card in cards_of(move)]
    settle_after_cards(table, "defend")


def beat(table: "Table", seat: int, move: Move) -> None:
    card = cards_of(move)[0]
    wrong = is_wrong_beat(table, move)
    if wrong and table.options["face_out"]:
        ending.close_taken(table, seat)
        return
    shed(table, seat, [card])
    for pair in table.table:
        if pair[0] == move["target"]:
            pair[1] = card
    note(table, seat, card, move["target"], wrong)
    settle_after_cards(table, "defend")


def throw_in(table: "Table", seat: int, move: Move) -> None:
    cards = cards_of(move)
    wrong = wrong_throw_ins(table, cards)
    if wrong and table.options["face_out"]:
        ending.close_spoilt(table, seat)
        return
    shed(table, seat, cards)
    for card in cards:
        table.table.append([card, None])
        note(table, seat, card, None, card in wrong)
    settle_after_cards(table, table.phase if table.phase == "take" else "defend")


def settle_after_cards(table: "Table", phase: str) -> None:
    """A new card on the table clears all passes (C1-18)."""
    table.passed = []
    table.phase = phase
    settle(table)


def transfer(table: "Table", seat: int, move: Move) -> None:
    cards = cards_of(move)
    if is_wrong_transfer(table, cards):
        ending.close_taken(table, seat)
        return
    shed(table, seat, cards)
    for card in cards:
        table.table.append([card, None])
    pass_on(table, seat)


def show_trump(table: "Table", seat: int, move: Move) -> None:
    table.shown.append(cards_of(move)[0])
    pass_on(table, seat)


def pass_on(table: "Table", seat: int) -> None:
    """The defender becomes the attacker of the next one, whose hand counts from now on."""
    table.attacker = seat
    table.defender = next_opponent(table, seat)
    table.defender_held = len(table.hands[table.defender])
    table.passed = []


def take(table: "Table", seat: int, move: Move) -> None:
    table.phase = "take"
    settle(table)


def pass_turn(table: "Table", seat: int, move: Move) -> None:
    table.passed.append(seat)
    settle(table)


def exchange_trump(table: "Table", seat: int, move: Move) -> None:
    six = lowest_trump(table.trump, table.options)
    hand = table.hands[seat]
    hand[hand.index(six)] = table.turn_up
    table.talon[-1] = table.turn_up = six


def call(table: "Table", seat: int, move: Move) -> None:
    """3.7, 11: the card goes back; who beat wrongly takes, who threw in wrongly is barred."""
    [card] = cards_of(move)
    [play] = [play for play in table.plays if play["card"] == card]
    if play["target"] is None:
        take_back_throw_in(table, play)
    else:
        take_back_beat(table, play)
    settle(table)


def take_back_beat(table: "Table", play: dict[str, Any]) -> None:
    for pair in table.table:
        if pair[1] == play["card"]:
            pair[1] = None
    give_back(table, play["seat"], play["card"])
    table.plays.remove(play)
    table.phase = "take"


def take_back_throw_in(table: "Table", play: dict[str, Any]) -> None:
    [pair] = [pair for pair in table.table if pair[0] == play["card"]]
    table.table.remove(pair)
    give_back(table, play["seat"], play["card"])
    if pair[1] is not None:
        give_back(table, table.defender, pair[1])
    table.plays = [one for one in table.plays if one["card"] not in pair]
    if play["seat"] not in table.barred:
        table.barred.append(play["seat"])


def note(table: "Table", seat: int, card: str, target: str | None, wrong: bool) -> None:
    """Remember a beat or a throw-in that can be called."""
    if table.options["enforcement"] == "catchable":
        table.plays.append({"seat": seat, "card": card, "target": target, "wrong": wrong})


MAKE = {
    "attack": attack,
    "beat": beat,
    "throw_in": throw_in,
    "transfer": transfer,
    "show_trump": show_trump,
    "take": take,
    "pass": pass_turn,
    "exchange_trump": exchange_trump,
    "call": call,
}
