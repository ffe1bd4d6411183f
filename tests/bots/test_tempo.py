"""How long turns take, and what they hold meanwhile."""

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.conf import LazySettings
from django.db import connection

from bots.brains.patterns import safe_move
from bots.brains.registry import Answer, History, Thought, View
from bots.services import turn_play
from bots.tempo import least_seconds
from games.models import Game

pytestmark = [pytest.mark.usefixtures("unsent"), pytest.mark.django_db(transaction=True)]
Open = Callable[..., UUID]
OPEN = "SELECT count(*) FROM pg_stat_activity WHERE pid = %s"
# Seconds within which a server process ends after its client.
GONE = 5.0


def play_one(game_id: UUID, **how: Any) -> str:
    version = Game.objects.get(id=game_id).version
    return turn_play(game_id=game_id, version=version, **how)


def our_backend() -> tuple[str, int]:
    """Where our database is, and the server process of our connection."""
    connection.ensure_connection()
    return connection.connection.info.dsn, connection.connection.info.backend_pid


def is_gone(dsn: str, pid: int) -> bool:
    """Whether a server process ends soon."""
    deadline = time.monotonic() + GONE
    with psycopg.connect(dsn, autocommit=True) as other:
        while time.monotonic() < deadline:
            if other.execute(OPEN, [pid]).fetchone() == (0,):
                return True
            time.sleep(0.01)
    return False


@contextmanager
def watched(dsn: str, pid: int) -> Iterator[list[bool]]:
    """While the block runs, see whether a server process ends."""
    seen: list[bool] = []
    watcher = threading.Thread(target=lambda: seen.append(is_gone(dsn, pid)))
    watcher.start()
    yield seen
    watcher.join()


class Looking:
    """Looks, while it thinks, whether the connection of its turn is still there."""

    backend: tuple[str, int]
    found: list[bool] = []

    def choose(self, view: View, history: History, rng: random.Random, budget: int) -> Answer:
        Looking.found.append(is_gone(*Looking.backend))
        return safe_move(view)


class Searching(Looking):
    """The same for a brain that can be told when to stop."""

    def think(
        self,
        view: View,
        history: History,
        rng: random.Random,
        budget: int,
        until: float | None = None,
        iterations: int | None = None,
    ) -> Thought:
        return Thought(self.choose(view, history, rng, budget))


@pytest.mark.parametrize(("cls", "pace"), [(Looking, "deep"), (Searching, "quick")])
def test_a_search_holds_neither_connection_nor_transaction(
    bots_game: Open,
    temporary_brain: Callable[..., None],
    settings: LazySettings,
    cls: type[Looking],
    pace: str,
) -> None:
    settings.BOT_WALL_SECONDS = 2 * GONE
    temporary_brain("looking", cls, pace=pace, reads_history=True)
    game_id = bots_game("looking", "looking")
    Looking.backend, Looking.found = our_backend(), []
    before = Game.objects.get(id=game_id).version
    assert play_one(game_id) == "played"
    assert Looking.found == [True]
    assert Game.objects.get(id=game_id).version > before


def test_waiting_holds_no_connection_and_no_core(bots_game: Open, settings: LazySettings) -> None:
    settings.BOT_LEAST_SECONDS = {"quick": 1.0, "deep": 0.0}
    game_id = bots_game("greedy", "greedy")
    began, busy = time.monotonic(), time.thread_time()
    with watched(*our_backend()) as gone:
        assert play_one(game_id) == "played"
        lasted = time.monotonic() - began
    assert gone == [True]
    assert lasted >= 1.0
    assert time.thread_time() - busy < 0.5


def test_a_forced_move_takes_as_long_as_a_choice(bots_game: Open, settings: LazySettings) -> None:
    settings.BOT_LEAST_SECONDS = {"quick": 0.3, "deep": 0.0}
    game_id = bots_game("greedy", "raiser")
    for _ in range(4):
        began = time.monotonic()
        play_one(game_id)
        assert time.monotonic() - began >= 0.3


def test_who_acts_in_a_workers_place_does_not_wait(bots_game: Open, settings: LazySettings) -> None:
    settings.BOT_LEAST_SECONDS = {"quick": 1.5, "deep": 1.5}
    began = time.monotonic()
    assert play_one(bots_game("greedy", "greedy"), paced=False) == "played"
    assert time.monotonic() - began < 1.5


def test_each_pace_has_a_least_time_below_the_cap(settings: LazySettings) -> None:
    settings.BOT_LEAST_SECONDS = {"quick": 0.01, "deep": 5.0}
    settings.BOT_WALL_SECONDS = 2.0
    assert least_seconds("greedy") == 0.01
    assert least_seconds("unheard_of") == 0.01
    assert least_seconds("ponderer") == 2.0
