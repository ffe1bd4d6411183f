"""Whole matches on the real stack: two people over HTTP and two bots at one table."""

import json
import random
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any
from urllib.error import HTTPError

import pytest

from tests.live import LiveStack
from tests.live_client import Client
from tests.recount import is_over, recount
from tests.tables import choose

SECONDS = 240
Json = dict[str, Any]


def refused(client: Client, path: str) -> str | None:
    """Why a rematch is refused, if it is."""
    try:
        client.post(f"{path}/rematch", {})
    except HTTPError as error:
        code: str = json.load(error)["code"]
        return code
    return None


def play(client: Client, path: str, rng: random.Random) -> Json:
    """Make any moves until a game ends, as soon as it has begun."""
    deadline = time.monotonic() + SECONDS
    while (view := client.get(path))["status"] != "finished":
        assert time.monotonic() < deadline
        if view["you"]["legal_moves"]:
            client.post(f"{path}/moves", choose(view["you"]["legal_moves"], rng))
        else:
            client.get(f"{path}/events?after={view['version']}&wait=5")
    ended: Json = view
    return ended


def play_match(client: Client, path: str, rng: random.Random) -> Iterator[str]:
    """The ids of the games of a match, each played to its end, until no other follows."""
    while True:
        ended = play(client, path, rng)
        yield ended["id"]
        if client.get(f"/matches/{ended['match']['id']}")["result"] is not None:
            assert refused(client, path) == "match.over"
            return
        path = f"/games/{client.post(f'{path}/rematch', {})['id']}"


def dealers(replays: Sequence[Json]) -> list[int]:
    """Who dealt each game."""
    started = [event for replay in replays for event in replay["events"]]
    return [event["data"]["dealer"] for event in started if event["type"] == "game_started"]


def check_dealers(replays: Sequence[Json]) -> None:
    """Whoever lost deals the next game; where nobody did, the next seat."""
    seats = len(replays[0]["seats"])
    for (dealt, deals), replay in zip(pairwise(dealers(replays)), replays, strict=False):
        durak = replay["result"]["durak"]
        assert deals == ((dealt + 1) % seats if durak is None else durak)


@pytest.mark.parametrize(
    ("ruleset", "terms"),
    [
        ("throw_in", {"series_length": 3, "options": {"deck_size": 24}}),
        ("mau_mau", {"match_target": 101}),
        ("hundred_one", {}),
    ],
)
def test_two_people_and_two_bots_play_a_match(
    live_stack: LiveStack, ruleset: str, terms: Json
) -> None:
    ann, bob = Client(live_stack), Client(live_stack)
    first = ann.open(4, "greedy", "random", ruleset=ruleset, **terms)
    bob.post(f"/games/{first}/join", {})
    with ThreadPoolExecutor(2) as threads:
        matches = [
            play_match(who, f"/games/{first}", random.Random(who.name)) for who in (ann, bob)
        ]
        played, also_played = threads.map(list, matches)
    assert played == also_played
    match = ann.get(f"/matches/{ann.get(f'/games/{first}')['match']['id']}")
    assert [game["id"] for game in match["games"]] == played
    replays = [ann.get(f"/games/{game_id}/replay") for game_id in played]
    assert [game["result"] for game in match["games"]] == [one["result"] for one in replays]
    rules, logs = replays[0]["rules"], [replay["events"] for replay in replays]
    totals = recount(logs, rules, match["match_target"])
    assert [{name: seat[name] for name in totals[0]} for seat in match["seats"]] == totals
    assert [seat["player"] for seat in match["seats"]][:2] == [ann.name, bob.name]
    check_dealers(replays)
    standings = [recount(logs[: n + 1], rules, match["match_target"]) for n in range(len(logs))]
    ends = [is_over(standing, match, rules) for standing in standings]
    assert ends == [*[False] * (len(logs) - 1), True]
