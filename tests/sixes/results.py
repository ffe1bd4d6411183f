"""Results and ratings held against the exported logs."""

from collections.abc import Iterable, Sequence
from typing import Any, Final, LiteralString

import psycopg

from tests.chaos.caller import Caller, World
from tests.chaos.journal import Violation
from tests.recount import COUNTED, recount
from tests.sixes.tables import BOTS, PEOPLE, Told

Json = dict[str, Any]
# Each player is rated on the ruleset's ladder and on the overall one.
RATINGS: Final = 2 * (PEOPLE + len(BOTS))
_ROWS: Final[LiteralString] = """
    SELECT seat, is_durak::int, drew::int FROM games_gameresult WHERE game_id = %s ORDER BY seat
"""
_RATED: Final[LiteralString] = """
    SELECT count(*), count(DISTINCT (player_id, ladder)) FROM games_ratingchange WHERE game_id = %s
"""


async def check_results(world: World, games: Sequence[Told], database_url: str) -> int:
    """All results are what the logs say, and each was rated once; how many seats bots took over.

    Raises Violation.
    """
    taken = 0
    with psycopg.connect(database_url) as connection:
        for told in games:
            caller = Caller(world)
            replay = await caller.get(f"/games/{told.game}/replay")
            view = await caller.get(f"/games/{told.game}")
            match = await caller.get(f"/matches/{view['match']['id']}")
            check_totals(replay, match)
            check_order(replay)
            taken += check_walker(told, replay["events"])
            check_rows(replay, connection.execute(_ROWS, [told.game]).fetchall())
            check_rated(told.game, connection.execute(_RATED, [told.game]).fetchall())
    return taken


def totals_of(replay: Json) -> list[Json]:
    """The totals by seat, counted from the log."""
    return recount([replay["events"]], replay["rules"])


def check_totals(replay: Json, match: Json) -> None:
    """The match says what the log says."""
    told = [{name: seat[name] for name in COUNTED} for seat in match["seats"]]
    if told != totals_of(replay):
        raise Violation(f"game {replay['id']}: {told} in the match, {totals_of(replay)} by its log")


def check_order(replay: Json) -> None:
    """Whoever went out earlier has no worse a place, and everybody has one."""
    places = replay["result"]["places"]
    place = {seat: number for number, group in enumerate(places) for seat in group}
    out = [event["seat"] for event in replay["events"] if event["type"] == "seat_went_out"]
    if sorted(place) != list(range(PEOPLE + len(BOTS))):
        raise Violation(f"game {replay['id']}: places {places}")
    if [place[seat] for seat in out] != sorted(place[seat] for seat in out):
        raise Violation(f"game {replay['id']}: went out {out}, places {places}")
    durak = replay["result"]["durak"]
    if durak is not None and durak in out:
        raise Violation(f"game {replay['id']}: {durak} went out and is durak")


def check_walker(told: Told, events: Sequence[Json]) -> bool:
    """A bot came for whoever walked away when he had missed enough turns; whether one came.

    He may be out of cards before it comes to that, or be skipped to the end.
    """
    his = [event["type"] for event in events if event["seat"] == told.walker]
    missed, taken = his.count("seat_timed_out"), his.count("seat_replaced")
    patience = 1 if told.policy == "bot" else 3
    if taken != (missed >= patience):
        raise Violation(f"{told}: {missed} turns missed, {taken} times replaced")
    return bool(taken)


def check_rows(replay: Json, rows: Iterable[tuple[Any, ...]]) -> None:
    """The stored results are those of the log."""
    counted = [
        (seat, total["duraks"], total["draws"]) for seat, total in enumerate(totals_of(replay))
    ]
    if list(rows) != counted:
        raise Violation(f"game {replay['id']}: {list(rows)} stored, {counted} by its log")


def check_rated(game: str, rows: Sequence[tuple[Any, ...]]) -> None:
    """Each player was rated once on each of his ladders."""
    if rows != [(RATINGS, RATINGS)]:
        raise Violation(f"game {game}: {rows} changes of ratings, {RATINGS} wanted")
