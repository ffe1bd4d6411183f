"""Games against the clock over HTTP."""

import random
from datetime import datetime
from typing import Any

import pytest
from django.db import connection
from pytest_django import Settings

from games.services.game_clocks import clocks_sweep
from tests.api.conftest import Api, refusal
from tests.api.tables import (
    Person,
    create,
    events_of,
    open_game,
    people,
    pick,
    play_some,
    sans_clock,
    view_of,
    who_acts,
)
from tests.rules import client

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def short_turns(settings: Settings) -> None:
    """Turns of a second."""
    settings.TURN_SECONDS_MIN = 1


def wait(view: dict[str, Any]) -> None:
    """Until the deadline, by the database's clock."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_sleep(GREATEST(0, extract(epoch FROM %s::timestamptz - clock_timestamp())))",
            [view["deadline"]],
        )


def seconds_left(view: dict[str, Any]) -> float:
    left = datetime.fromisoformat(view["deadline"]) - datetime.fromisoformat(view["server_time"])
    return left.total_seconds()


def test_everybody_sees_the_same_deadline(anybody: Api) -> None:
    ann, bob = people(2)
    path = open_game(ann, bob, turn_seconds=60, bank_seconds=30)
    views = [view_of(viewer, path) for viewer in (ann, bob, anybody)]
    assert len({view["deadline"] for view in views}) == 1
    assert 80 < seconds_left(views[0]) <= 90
    assert [seat["bank_seconds"] for seat in views[2]["seats"]] == [30, 30]
    [created, *_] = events_of(anybody, path)
    assert created["data"]["turn_seconds"] == 60


def test_an_open_table_has_terms_and_no_deadline() -> None:
    view = create(Person("ann"), turn_seconds=86_400)
    assert (view["deadline"], view["clock"]["turn_seconds"]) == (None, 86_400)


def test_a_move_answers_with_the_new_deadline_and_every_view_is_served_again() -> None:
    players = people(2)
    path = open_game(*players, turn_seconds=60, bank_seconds=30)
    served = []
    for _ in range(5):
        mover, view = who_acts(players, path)
        answer = mover.post(f"{path}/moves", pick(view, random.Random(1))).json()
        assert answer["events"][-1]["next"]["deadline"] == answer["view"]["deadline"]
        assert answer["events"][-1]["next"]["bank_seconds"] == [30, 30]
        assert client.fold(view, answer["events"][0])["deadline"] in (
            None,
            answer["view"]["deadline"],
        )
        served.append((mover, answer["view"]))
    for mover, view in served:
        again = view_of(mover, path, f"?at={view['version']}")
        assert sans_clock(again) == sans_clock(view)


def test_who_is_late_is_told_and_others_see_it() -> None:
    players = people(2)
    path = open_game(*players, turn_seconds=1)
    late, view = who_acts(players, path)
    wait(view)
    assert clocks_sweep() == 1
    missed, played = events_of(players[0], path, view["version"])
    assert (missed["type"], missed["data"]) == ("seat_timed_out", {"missed": 1})
    assert missed["seat"] == view["you"]["seat"]
    assert "next" not in missed
    assert played["next"]["deadline"] == view_of(late, path)["deadline"]
    body = pick(view, random.Random(1))
    answer = late.post(f"{path}/moves", body, if_match=f'"v{view["version"]}"')
    refusal(answer, 412, "move.stale_version")


def test_a_bot_takes_the_seat_and_gives_it_back() -> None:
    players = people(2)
    path = open_game(*players, turn_seconds=1, on_timeout="bot")
    late, view = who_acts(players, path)
    seat = view["you"]["seat"]
    wait(view)
    clocks_sweep()
    assert view_of(late, path)["seats"][seat]["bot"] == "greedy"
    refusal(late.post(f"{path}/moves", pick(view, random.Random(1))), 409, "move.not_your_turn")
    assert late.post(f"{path}/return").json()["seats"][seat]["bot"] is None


def test_who_forfeits_loses_and_the_replay_is_sound(anybody: Api) -> None:
    players = people(2)
    path = open_game(*players, turn_seconds=2, bank_seconds=1, on_timeout="forfeit")
    play_some(5, path, random.Random(1), *players)
    late, view = who_acts(players, path)
    wait(view)
    clocks_sweep()
    result = view_of(late, path)["result"]
    assert (result["reason"], result["durak"]) == ("timeout", view["you"]["seat"])
    export = anybody.get(f"{path}/replay").json()
    assert anybody.post("/replays", export).json()["valid"] is True
    text = anybody.get(f"{path}/replay", accept="text/plain").content.decode()
    ruling = anybody.post("/replays", text.encode(), content_type="text/plain").json()
    assert ruling["valid"] is True, ruling


def test_the_limits_tell_what_may_be_asked(anybody: Api) -> None:
    limits = anybody.get("/limits").json()
    assert (limits["min_turn_seconds"], limits["max_turn_seconds"]) == (1, 1_209_600)
    assert limits["max_bank_seconds"] == 1_209_600
