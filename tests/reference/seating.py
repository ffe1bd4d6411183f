"""Who sits next to whom, who may throw in, how much room there is."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.reference.table import Table


def circle(table: "Table", start: int) -> list[int]:
    """Every seat still in the game, clockwise, beginning at or after `start`."""
    seats = []
    for step in range(table.seats):
        seat = (start + step) % table.seats
        if seat not in table.out:
            seats.append(seat)
    return seats


def partners(table: "Table", one: int, other: int) -> bool:
    """3.7, 8: two teams by seat parity."""
    return table.options["teams"] != "none" and one % 2 == other % 2


def next_seat(table: "Table", seat: int) -> int:
    """The next seat in the game, clockwise."""
    return circle(table, seat + 1)[0]


def next_opponent(table: "Table", seat: int) -> int:
    """The next seat in the game that is not of the same team."""
    for other in circle(table, seat + 1):
        if other != seat and not partners(table, seat, other):
            return other
    raise AssertionError("the game should be over")


def throwers(table: "Table") -> list[int]:
    """Who may throw in, in the order in which they are asked: the attacker first, clockwise."""
    return [seat for seat in circle(table, table.attacker) if may_ever_throw_in(table, seat)]


def may_ever_throw_in(table: "Table", seat: int) -> bool:
    """Whether a seat is within the scope of this bout, on the right side and not barred (K4)."""
    if seat == table.defender or partners(table, seat, table.defender) or seat in table.barred:
        return False
    scope = table.options["throw_in_scope"]
    if scope == "all" or seat == table.attacker:
        return True
    return scope == "neighbours" and seat == next_seat(table, table.defender)


def card_limit(table: "Table") -> int | None:
    """How many attack cards a bout may have whoever defends; None for any number (K7, K8)."""
    first = table.options["first_attack_limit"]
    if first is not None:
        scope = table.options["first_limit_scope"]
        if scope == "first_bout" and table.first_bout:
            return first
        if scope == "until_first_discard" and table.discard_count == 0:
            return first
    return table.options["attack_limit"]


def room(table: "Table") -> int:
    """How many more attack cards the bout can have (3.6)."""
    most = table.defender_held
    limit = card_limit(table)
    if limit is not None:
        most = min(most, limit)
    return most - len(table.table)


def throw_in_is_open(table: "Table") -> bool:
    """Whether this is a moment for throwing in at all."""
    throw_in = table.options["throw_in"]
    if table.phase == "take":
        return throw_in != "never"
    if table.phase == "throw_in":
        return throw_in == "always"
    anytime = table.options["throw_in_timing"] == "anytime"
    return table.phase == "defend" and throw_in == "always" and anytime


def waiting(table: "Table") -> list[int]:
    """Every seat that may still throw in or pass, the first to be asked first."""
    if not throw_in_is_open(table) or room(table) <= 0:
        return []
    return [seat for seat in throwers(table) if table.hands[seat] and seat not in table.passed]


def to_act(table: "Table") -> list[int]:
    """Who may move now: one seat, or with throw-ins at any time several (3.7, 4)."""
    if table.phase == "finished":
        return []
    if table.phase == "attack":
        return [table.attacker]
    queue = waiting(table)
    if table.options["throw_in_timing"] != "anytime":
        queue = queue[:1]
    if table.phase == "defend":
        return [table.defender, *queue]
    return queue
