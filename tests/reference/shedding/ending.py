"""The end of a game: who is out, who counts what, who has which place."""

from typing import TYPE_CHECKING, Any

from tests.reference.shedding.cards import is_wild, worth

if TYPE_CHECKING:
    from tests.reference.shedding.table import Table

Points = dict[int, int]


def is_over(table: "Table") -> bool:
    """C5-19 with the first one out, A-03 when a single seat holds cards (K22)."""
    if table.options["end"] == "first_out":
        return bool(table.out)
    return len(table.active()) <= 1


def finish_played_out(table: "Table") -> None:
    """3.7 (26): places by going out, then by points."""
    points = count_points(table)
    if table.options["end"] == "last_holder":
        places = [[seat] for seat in table.out] + [table.active()]
        finish(table, "played_out", places, points, durak=table.active()[0])
    else:
        places = [table.out, *by_points(table, points)]
        finish(table, "played_out", places, points, durak=alone(places[-1]))


def finish_stale(table: "Table", reason: str) -> None:
    """G14: a draw, or everybody counts."""
    before = [[seat] for seat in table.out]
    if table.options["stalemate"] == "draw":
        places = [*before, table.active()]
        finish(table, reason, places, None, durak=None, draw=True)
        return
    points = count_points(table)
    places = [*before, *by_points(table, points)]
    nobody_is_better = len(places) == 1
    finish(table, reason, places, points, durak=alone(places[-1]), draw=nobody_is_better)


def finish(
    table: "Table",
    reason: str,
    places: list[list[int]],
    points: Points | None,
    durak: int | None,
    draw: bool = False,
) -> None:
    table.phase = "finished"
    table.drawn = None
    table.ace_suit = None
    table.pending = None
    table.result = {
        "durak": durak,
        "draw": draw,
        "winner": alone(places[0]),
        "places": [sorted(place) for place in places],
        "reason": reason,
        "stalemate": reason != "played_out",
        "points": None if points is None else {str(seat): points[seat] for seat in points},
        "match_losers": None if draw else holders_of_a_losing_wild(table) or None,
    }


def alone(place: list[int]) -> int | None:
    return place[0] if len(place) == 1 else None


def by_points(table: "Table", points: Points | None) -> list[list[int]]:
    """Those who hold cards, fewest points first, equal ones together; wilds that lose are last."""
    losers = holders_of_a_losing_wild(table)
    scores: dict[Any, list[int]] = {}
    for seat in table.active():
        score = (seat in losers, points[seat] if points is not None else 0)
        scores.setdefault(score, []).append(seat)
    return [scores[score] for score in sorted(scores)]


def holders_of_a_losing_wild(table: "Table") -> list[int]:
    """C5-V3c, G17: any jack left in the hand loses at once."""
    if not table.options["wild_left_loses"]:
        return []
    return [
        seat
        for seat in table.active()
        if any(is_wild(card, table.options) for card in table.hands[seat])
    ]


def count_points(table: "Table") -> Points | None:
    """C5-19; None where nobody counts (A-03)."""
    if not table.options["points"]:
        return None
    if holders_of_a_losing_wild(table):
        return dict.fromkeys(range(table.seats), 0)
    return {seat: points_of(table, seat) for seat in range(table.seats)}


def points_of(table: "Table", seat: int) -> int:
    """C5-20 by the cards; C5-21, C5-V5b a wild alone; C5-V5a less for going out with a wild."""
    hand = table.hands[seat]
    if seat in table.last_card:
        return -bonus(table, table.last_card[seat])
    penalty: int = table.options["lone_wild_penalty"]
    if penalty and len(hand) == 1 and is_wild(hand[0], table.options):
        return penalty
    return sum(worth(table.options["points"], card, 0) for card in hand)


def bonus(table: "Table", card: str) -> int:
    if not is_wild(card, table.options):
        return 0
    bonuses = table.options["finish_wild_bonus"]
    amount: int = worth(bonuses, card, 0) if isinstance(bonuses, dict) else bonuses
    return amount
