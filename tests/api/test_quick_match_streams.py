"""The long poll of a ticket."""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from django.db import connection

from games.services.quick_match_create import Wish, quick_match_cancel, quick_match_create
from games.services.token_revoke import token_revoke
from tests.api.conftest import Api
from tests.api.streaming import StreamsProcess, database_url
from tests.api.test_streams import Someone, running
from tests.live import free_port

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("streams")]
WISH = Wish(("throw_in",), (2,))


@pytest.fixture(scope="module")
def streams(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None) -> Iterator[Any]:
    """A process that hears hints."""
    yield from running(StreamsProcess(tmp_path_factory.mktemp("q")))


@pytest.fixture(scope="module")
def deaf_streams(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None) -> Iterator[Any]:
    """A process whose broker is down."""
    nowhere = f"redis://127.0.0.1:{free_port()}/0"
    yield from running(StreamsProcess(tmp_path_factory.mktemp("d"), REDIS_URL=nowhere))


@pytest.fixture
def ann(db: None) -> Someone:
    """Who waits."""
    return Someone("ann")


@pytest.fixture
def bob(db: None) -> Someone:
    """Who comes."""
    return Someone("bob")


@pytest.fixture
def mine(ann: Someone) -> str:
    """The address of Ann's ticket."""
    return f"/quick-matches/{quick_match_create(player_id=ann.player.id, wish=WISH).pk}"


def soon(call: Callable[[], Any]) -> threading.Thread:
    """Make a call after a moment."""

    def run() -> None:
        time.sleep(0.5)
        call()
        connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


@pytest.mark.parametrize("ears", ["streams", "deaf_streams"])
def test_it_answers_when_the_ticket_is_matched(
    request: pytest.FixtureRequest, ears: str, ann: Someone, bob: Someone, mine: str
) -> None:
    process: StreamsProcess = request.getfixturevalue(ears)
    thread = soon(lambda: quick_match_create(player_id=bob.player.id, wish=WISH))
    began = time.monotonic()
    with process.ask(f"{mine}?wait=20", ann.token) as answer:
        page = answer.json()
    thread.join()
    assert 0.4 < time.monotonic() - began < 5
    assert page == Api(ann.token).get(mine).json()
    assert (page["status"], page["game"]["seat"]) == ("matched", 0)
    with process.ask(f"{mine}?wait=20", ann.token) as answer:
        assert answer.json() == page


def test_it_answers_when_the_ticket_is_given_up(
    streams: StreamsProcess, ann: Someone, mine: str
) -> None:
    ticket = Api(ann.token).get(mine).json()["id"]
    thread = soon(lambda: quick_match_cancel(ticket_id=ticket, player_id=ann.player.id))
    with streams.ask(f"{mine}?wait=20", ann.token) as answer:
        assert answer.json()["status"] == "cancelled"
    thread.join()


def test_it_gives_up_when_nobody_comes(streams: StreamsProcess, ann: Someone, mine: str) -> None:
    with streams.ask(f"{mine}?wait=1", ann.token) as answer:
        page = answer.json()
    assert (answer.status, page["status"], page["game"]) == (200, "waiting", None)
    with streams.ask(mine, ann.token) as answer:
        assert answer.json()["status"] == "waiting"


def test_refusals(streams: StreamsProcess, ann: Someone, bob: Someone, mine: str) -> None:
    for path, token, status in (
        (f"{mine}?wait=5", bob.token, 404),
        (f"{mine}?wait=5", None, 401),
        (f"{mine}?wait=61", ann.token, 400),
        ("/quick-matches/x?wait=5", ann.token, 404),
    ):
        with streams.ask(path, token) as answer:
            assert (answer.status, answer.media) == (status, "application/problem+json")


def test_whose_token_ends_is_told_so(streams: StreamsProcess, ann: Someone, mine: str) -> None:
    tokens = Api(ann.token).get("/tokens").json()["items"]
    thread = soon(lambda: token_revoke(player_id=ann.player.id, token_id=tokens[0]["id"]))
    with streams.ask(f"{mine}?wait=20", ann.token) as answer:
        assert answer.status == 401
    thread.join()


LOSE = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'durak_streams' AND wait_event_type = 'Lock'
"""


@pytest.mark.parametrize(("goes_on", "status"), [(True, 200), (False, 503)])
def test_a_reading_that_breaks_off_is_no_answer(
    streams: StreamsProcess, ann: Someone, mine: str, goes_on: bool, status: int
) -> None:
    """It is read again; what never can be until the time is up is a problem like any other."""
    answered, lost = threading.Event(), []

    def lose() -> None:
        time.sleep(0.5)
        with psycopg.connect(database_url()) as locks, psycopg.connect(database_url()) as other:
            locks.execute("LOCK TABLE quick_match IN ACCESS EXCLUSIVE MODE")
            other.autocommit = True
            while not (answered.is_set() or (goes_on and lost)):
                lost.extend(other.execute(LOSE).fetchall())
                time.sleep(0.02)

    thread = threading.Thread(target=lose)
    thread.start()
    try:
        with streams.ask(f"{mine}?wait=4", ann.token) as answer:
            page = answer.json()
    finally:
        answered.set()
        thread.join()
    assert lost
    assert answer.status == status
    assert page.get("code") == (None if goes_on else "server.unavailable")
    assert goes_on is (page.get("status") == "waiting")
