"""One list of what happens in all of a player's games."""

import random
import re
import threading
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Inbox, Notice, Player
from games.services.news_forget import news_forget
from tests.api.conftest import Api, bad_fields, refusal
from tests.api.tables import limit_scopes, open_game, people, play_out, play_some
from tests.tables import open_table, play_one

pytestmark = pytest.mark.django_db
MINE = "/players/me/events"
CARD = re.compile(r'"[2-9TJQKA][SHDC]"')


def page(client: Api, query: str = "") -> dict[str, Any]:
    """A page of the caller's events."""
    answer = client.get(f"{MINE}?{query}")
    assert answer.status_code == 200, answer.content
    found: dict[str, Any] = answer.json()
    return found


def test_all_games_are_told_of_from_start_to_end() -> None:
    ann, bob = people(2)
    paths = {open_game(ann, bob), open_game(bob, ann)}
    for path in sorted(paths):
        players = (ann, bob) if ann.get(path).json()["you"]["seat"] == 0 else (bob, ann)
        play_out(path, random.Random(4), *players)
    events = page(ann, "limit=1000")["events"]
    assert {event["url"].removeprefix("/api/v1") for event in events} == paths
    for path in paths:
        mine = [event for event in events if event["url"].endswith(path)]
        assert mine[0]["type"] == "game_started"
        assert mine[-1]["type"] == "game_finished"
        assert {event["type"] for event in mine[1:-1]} == {"your_turn"}
        assert [event["version"] for event in mine] == sorted(event["version"] for event in mine)


def test_a_turn_says_what_a_move_needs() -> None:
    ann, bob = players = people(2)
    path = open_game(ann, bob)
    seat = ann.get(path).json()["to_act"][0]
    turn = page(players[seat])["events"][-1]
    view = players[seat].get(path).json()
    assert (turn["type"], turn["seat"], turn["version"]) == ("your_turn", seat, view["version"])
    assert turn["match"] == {"id": view["match"]["id"], "game_number": 1}
    cards = view["you"]["legal_moves"][0]["cards"][:1]
    move = {"type": "attack", "cards": cards}
    answer = players[seat].post(f"{path}/moves", move, if_match=turn["etag"])
    assert answer.status_code == 201, answer.content


def test_every_cursor_goes_on_where_it_was() -> None:
    ann, bob = people(2)
    play_out(open_game(ann, bob), random.Random(4), ann, bob)
    events = page(ann)["events"]
    for index, event in enumerate(events):
        assert page(ann, f"after={event['cursor']}")["events"] == events[index + 1 :]
    found, cursor = [], ""
    while step := page(ann, f"limit=3&after={cursor}" if cursor else "limit=3"):
        if not step["events"]:
            break
        found += step["events"]
        cursor = step["next_after"]
    assert found == events
    assert page(ann, "after=latest") == {"events": [], "next_after": cursor}


def test_nothing_yet_has_a_cursor_too() -> None:
    ann, bob = people(2)
    before = page(ann)
    assert before["events"] == []
    open_game(ann, bob)
    assert page(ann, f"after={before['next_after']}") == page(ann)


@pytest.mark.parametrize(
    "cursor", ["x", "MQ", "-1", "bnVsbA", "MTAwMDAwMDAwMDAwMDAwMDAwMDA", "LTE"]
)
def test_what_is_no_cursor_of_the_list_is_refused(cursor: str) -> None:
    assert "after" in bad_fields(people(1)[0].get(f"{MINE}?after={cursor}"))


def test_it_is_the_callers_own_list() -> None:
    ann, bob, cat = people(3)
    open_game(ann, bob)
    assert page(cat)["events"] == []
    refusal(Api().get(MINE), 401, "auth.missing")
    limit_scopes("games:play")
    refusal(ann.get(MINE), 403, "auth.scope")


def test_no_card_is_told() -> None:
    ann, bob = people(2)
    for ruleset in ("throw_in", "mau_mau"):
        play_some(4, open_game(ann, bob, ruleset=ruleset), random.Random(1), ann, bob)
    for who in (ann, bob):
        text = who.get(f"{MINE}?limit=1000").content.decode()
        assert "your_turn" in text
        assert CARD.search(text) is None
        assert "invite" not in text


def test_what_is_too_old_is_forgotten_and_cursors_stay_good() -> None:
    ann, bob = people(2)
    play_out(open_game(ann, bob), random.Random(4), ann, bob)
    events = page(ann)["events"]
    old = timezone.now() - timedelta(days=40)
    Notice.objects.filter(player_id=ann.id, position__lte=5).update(at=old)
    news_forget()
    assert page(ann)["events"] == events[5:]
    assert page(ann, f"after={events[1]['cursor']}")["events"] == events[5:]
    Notice.objects.filter(player_id=ann.id).update(at=old)
    news_forget()
    assert page(ann)["next_after"] == events[-1]["cursor"]
    open_game(ann, bob)
    assert page(ann, f"after={events[-1]['cursor']}")["events"][0]["type"] == "game_started"


@pytest.mark.django_db(transaction=True)
def test_a_move_that_commits_late_is_not_skipped() -> None:
    """The slow game's notices are older than what was read meanwhile, and come all the same."""
    ann, bob = people(2)
    rows = [Player.objects.get(id=who.id) for who in (ann, bob)]
    slow, quick = open_table(rows), open_table(rows)
    after = page(ann, "after=latest")["next_after"]
    played, read = threading.Event(), threading.Event()

    def play_slowly() -> None:
        try:
            with transaction.atomic():
                for seed in range(6):
                    play_one(slow, random.Random(seed))
                played.set()
                read.wait(10)
        finally:
            connection.close()

    thread = threading.Thread(target=play_slowly)
    thread.start()
    assert played.wait(10)
    for seed in range(6):
        play_one(quick, random.Random(seed))
    first = page(ann, f"after={after}")
    read.set()
    thread.join()
    assert {event["game_id"] for event in first["events"]} == {str(quick)}
    second = page(ann, f"after={first['next_after']}")
    assert {event["game_id"] for event in second["events"]} == {str(slow)}


@pytest.mark.django_db(transaction=True)
def test_reading_takes_a_lock_that_no_move_waits_for() -> None:
    ann, bob = people(2)
    rows = [Player.objects.get(id=who.id) for who in (ann, bob)]
    game_id = open_table(rows)
    page(ann)
    with transaction.atomic():
        Inbox.objects.select_for_update().get(player=ann.id)
        thread = threading.Thread(target=play, args=(game_id,))
        thread.start()
        thread.join(5)
        assert not thread.is_alive()


def play(game_id: UUID) -> None:
    """A move, on a connection of its own."""
    try:
        play_one(game_id, random.Random(1))
    finally:
        connection.close()


@pytest.mark.django_db(transaction=True)
def test_how_many_statements_a_page_takes() -> None:
    ann, bob = people(2)
    open_game(ann, bob)

    def statements() -> list[str]:
        with CaptureQueriesContext(connection) as captured:
            assert ann.get(MINE).status_code == 200
        return [query["sql"].split()[0] for query in captured.captured_queries]

    first = ["SELECT", "SELECT", "BEGIN", "INSERT", "SELECT", "WITH", "COMMIT", "SELECT", "SELECT"]
    assert statements() == first
    assert statements() == ["SELECT"] * 4
