"""The end of a bout and the end of the game."""

from typing import TYPE_CHECKING, Any

from tests.reference.cards import lowest_trump, rank
from tests.reference.seating import circle, next_opponent, partners

if TYPE_CHECKING:
    from tests.reference.table import Table


def open_bout(table: "Table", leader: int) -> None:
    """A new bout, unless the same position came up too often (3.7, 9)."""
    table.attacker = leader
    table.defender = next_opponent(table, leader)
    table.defender_held = len(table.hands[table.defender])
    table.phase = "attack"
    clear_bout(table)
    if not table.talon and table.options["repetition_draw"] is not None:
        position = (leader, *(frozenset(hand) for hand in table.hands))
        table.seen[position] += 1
        if table.seen[position] >= table.options["repetition_draw"]:
            finish_drawn(table, "repetition")


def clear_bout(table: "Table") -> None:
    table.table = []
    table.passed = []
    table.emptied = []
    table.shown = []
    table.plays = []
    table.barred = []


def close_beaten(table: "Table") -> None:
    """Everything goes to the discard pile and the defender leads."""
    table.discard_count += len(cards_on(table))
    end_bout(table, table.defender)


def close_taken(table: "Table", taker: int) -> None:
    """The defender takes everything; the one after him leads."""
    table.hands[taker] += cards_on(table)
    end_bout(table, taker + 1)


def close_spoilt(table: "Table", thrower: int) -> None:
    """Who threw in wrongly with faces out takes everything; the defender leads (G5)."""
    table.hands[thrower] += cards_on(table)
    end_bout(table, table.defender)


def cards_on(table: "Table") -> list[str]:
    return [card for pair in table.table for card in pair if card is not None]


def end_bout(table: "Table", leader: int) -> None:
    """3.6: refill, players without cards go out, end test, and the next in the game leads."""
    refill(table)
    if not table.talon:
        for seat in table.emptied:
            if not table.hands[seat]:
                table.out.append(seat)
    table.first_bout = False
    if is_over(table):
        table.table = []
        finish(table)
        return
    open_bout(table, circle(table, leader)[0])


def refill(table: "Table") -> None:
    """B-14: the attacker draws first, then clockwise, the defender last."""
    order = circle(table, table.attacker)
    if table.options["refill_order"] == "leader_clockwise_defender_last":
        order.remove(table.defender)
        order.append(table.defender)
    for seat in order:
        while table.talon and len(table.hands[seat]) < table.options["hand_size"]:
            draw(table, seat)


def draw(table: "Table", seat: int) -> None:
    card = table.talon.pop(0)
    table.hands[seat].append(card)
    if card == lowest_trump(table.trump, table.options):
        table.lowest_trump_owner = seat
    if not table.talon:
        table.turn_up = None


def is_over(table: "Table") -> bool:
    """Whether all who are left, if any, are one seat or one team."""
    left = circle(table, 0)
    return all(seat == left[0] or partners(table, seat, left[0]) for seat in left)


def finish(table: "Table") -> None:
    """C2-31, C2-33, K16: the last holder is the durak; without one it is a draw or the last out."""
    left = circle(table, 0)
    if left:
        finish_with_durak(table, left[0])
    elif table.options["draw_allowed"]:
        finish_drawn(table, "played_out")
    else:
        finish_with_durak(table, table.out[-1])


def finish_with_durak(table: "Table", loser: int) -> None:
    losers = [seat for seat in range(table.seats) if seat == loser or partners(table, seat, loser)]
    winners = [seat for seat in table.out if seat not in losers]
    durak = loser if table.options["teams"] == "none" else losers
    end(table, durak=durak, draw=False, winner=winners[0], reason="played_out", alone=table.out)


def finish_drawn(table: "Table", reason: str) -> None:
    """3.7, 7: those without cards since the final bout share a place; one out before has won."""
    before = [seat for seat in table.out if seat not in table.emptied]
    winner = before[0] if before else None
    end(table, durak=None, draw=True, winner=winner, reason=reason, alone=before)


def end(table: "Table", alone: list[int], **result: Any) -> None:
    """The result; `alone` have a place each, the others share the last one."""
    others = [seat for seat in range(table.seats) if seat not in alone]
    places = [[seat] for seat in alone] + ([others] if others else [])
    sixes = epaulettes(table, result["durak"])
    table.phase = "finished"
    table.result = {**result, "places": places, "epaulettes": sixes}


def epaulettes(table: "Table", durak: object) -> int:
    """X08: with how many sixes the last to go out left the durak behind."""
    if not table.options["epaulettes"] or durak is None:
        return 0
    cards = table.shed_with[table.out[-1]]
    return len(cards) if all(rank(card) == "6" for card in cards) else 0
