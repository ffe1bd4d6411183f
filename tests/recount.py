"""A match counted again from the logs of its games, by other means than the server's.

The logs are those of `GET /games/{id}/replay`: JSON, nothing hidden.
"""

from collections.abc import Iterable, Sequence
from typing import Any

Json = dict[str, Any]
COUNTED = ("games", "wins", "duraks", "draws", "points")


def recount(logs: Sequence[Sequence[Json]], rules: Json, target: int | None = None) -> list[Json]:
    """The totals by seat after games without teams, in their order."""
    burnt = target if rules.get("exact_target_resets") else None
    totals: list[Json] = []
    for events in logs:
        [created] = [event for event in events if event["type"] == "game_created"]
        totals = totals or [dict.fromkeys(COUNTED, 0) for _ in range(created["data"]["seats"])]
        count(totals, events[-1]["data"]["result"], set(gone(events)))
        for total in totals:
            if total["points"] == burnt:
                total["points"] = 0
    return totals


def is_over(totals: Sequence[Json], match: Json, rules: Json) -> bool:
    """Whether a match with these totals has come to its end."""
    if match["match_target"] is not None:
        most = match["match_target"] - (not rules.get("exact_target_resets"))
        return any(total["points"] > most for total in totals)
    left = match["series_length"] - totals[0]["games"]
    *_, second, first = sorted(total["wins"] for total in totals)
    return left == 0 or first - second > left


def count(totals: list[Json], result: Json, absent: set[int]) -> None:
    """Add one game to the totals. Whoever gave his seat up for good is durak."""
    duraks = absent | ({result["durak"]} if result["durak"] is not None else set())
    drew = set(result["places"][-1]) - absent if result["draw"] else set()
    best = next((set(p) - duraks for p in result["places"] if set(p) - duraks), duraks)
    for seat, total in enumerate(totals):
        total["games"] += 1
        total["wins"] += seat in best - drew
        total["duraks"] += seat in duraks
        total["draws"] += seat in drew
        total["points"] += (result["points"] or {}).get(str(seat), 0)


def gone(events: Iterable[Json]) -> Iterable[int]:
    """The seats whose players were away at the end."""
    away: dict[int, str] = {}
    for event in events:
        if event["type"] in ("seat_replaced", "seat_resigned"):
            away[event["seat"]] = event["type"]
        elif event["type"] == "seat_returned":
            del away[event["seat"]]
    return away
