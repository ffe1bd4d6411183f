"""Clocks on the real stack: nobody moves, beat ticks, and the worker is killed in between."""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import NamedTuple

import pytest

from games.rules.clocks import false_time
from games.rules.events import DeadlineExtended, Event, SeatTimedOut
from games.rules.game import Game, evolve
from games.store.codec import decode_event
from tests.live import LiveStack
from tests.live_client import Client

EVENTS = """
    SELECT type, schema_version, data::text, at FROM games_gameevent
    WHERE game_id = %s ORDER BY seq
"""
UNFINISHED = "SELECT count(*) FROM games_game WHERE id = ANY(%s::uuid[]) AND status <> 'finished'"
OUTAGES = "SELECT began_at, ended_at FROM games_outage ORDER BY ended_at DESC LIMIT 1"
HEARTBEAT = "SELECT at FROM games_heartbeat"
GAMES = 12
IN_TIME = timedelta(seconds=2)


class Missed(NamedTuple):
    """A turn that was missed: until when it lasted, and when the server acted."""

    deadline: datetime
    at: datetime


class Away(NamedTuple):
    """When something was killed, and when the clocks were looked after again."""

    killed: datetime
    back: datetime


def log(stack: LiveStack, game_id: str) -> list[tuple[Event, datetime]]:
    """The events of a game and when they were stored."""
    return [
        (decode_event(kind, version, data), at)
        for kind, version, data, at in stack.rows(EVENTS, game_id)
    ]


def missed(events: list[tuple[Event, datetime]]) -> list[Missed]:
    """The turns that were missed."""
    game: Game | None = None
    found = []
    for event, at in events:
        if isinstance(event, SeatTimedOut):
            assert game is not None
            assert game.deadline is not None
            found.append(Missed(game.deadline, at))
        game = evolve(game, event)
    return found


def open_games(stack: LiveStack, number: int, **terms: object) -> list[str]:
    """Games of two who never move."""
    ann, bob = Client(stack), Client(stack)
    body = {"ruleset": "throw_in", "seats": 2, "turn_seconds": 1, **terms}
    opened = [ann.post("/games", body)["id"] for _ in range(number)]
    for game_id in opened:
        bob.post(f"/games/{game_id}/join", {})
    return opened


def wait_for_the_end(stack: LiveStack, games: list[str], seconds: float) -> None:
    ends = time.monotonic() + seconds
    while stack.rows(UNFINISHED, games)[0][0]:
        assert time.monotonic() < ends, "not in time"
        time.sleep(0.1)


def without_sweeps(stack: LiveStack, strike: Callable[[], None]) -> Away:
    """Kill something; the time until the clocks were looked after again."""
    killed = datetime.now(UTC)
    strike()
    ends = time.monotonic() + 30
    # What had begun before the blow may have said so just after it.
    while (back := stack.rows(HEARTBEAT)[0][0]) < killed + timedelta(milliseconds=500):
        assert time.monotonic() < ends, "nobody looks after the clocks"
        time.sleep(0.02)
    return Away(killed, back)


def kill_worker(stack: LiveStack) -> None:
    """Kill the worker and start another one."""
    stack.kill_worker()
    stack.restart_worker()


def kill_beat(stack: LiveStack) -> None:
    """Kill the clock of periodic tasks; the supervisor starts it again."""
    stack.kill_process("beat")


def lateness(turn: Missed, times: list[Away]) -> timedelta:
    """How late a turn was ended; what was due while nobody looked may wait until somebody did."""
    waits = [away.back for away in times if turn.deadline <= away.back and turn.at >= away.killed]
    return turn.at - max([turn.deadline, *waits])


def test_x01_games_that_everybody_left_alone_end_and_no_turn_is_missed_late_or_twice(
    live_stack: LiveStack,
) -> None:
    games = open_games(live_stack, GAMES)
    times = []
    for strike in (kill_worker, kill_beat, kill_worker):
        time.sleep(1.5)
        times.append(without_sweeps(live_stack, partial(strike, live_stack)))
    wait_for_the_end(live_stack, games, 90)
    count = 0
    for game_id in games:
        events = log(live_stack, game_id)
        assert false_time(events) is None
        turns = missed(events)
        # Each player misses three turns, then a bot plays for him.
        assert len(turns) >= 6
        assert len({turn.deadline for turn in turns}) == len(turns)
        assert [turn for turn in turns if lateness(turn, times) > IN_TIME] == [], times
        count += len(turns)
    assert count >= 6 * GAMES
    assert any(away.back - away.killed > timedelta(seconds=1) for away in times)


@pytest.mark.parametrize("policy", ["forfeit", "bot"])
def test_a_player_who_never_moves_loses_his_seat(live_stack: LiveStack, policy: str) -> None:
    games = open_games(live_stack, 2, on_timeout=policy)
    wait_for_the_end(live_stack, games, 60)
    for game_id in games:
        events = log(live_stack, game_id)
        assert false_time(events) is None
        assert all(turn.at - turn.deadline <= IN_TIME for turn in missed(events))


def test_nobody_loses_by_an_outage(live_stack: LiveStack) -> None:
    [game_id] = open_games(live_stack, 1, turn_seconds=60)
    deadline = evolved(log(live_stack, game_id)).deadline
    live_stack.kill_worker()
    time.sleep(7)
    live_stack.restart_worker()
    ends = time.monotonic() + 10
    while not extended(live_stack, game_id):
        assert time.monotonic() < ends
        time.sleep(0.1)
    time.sleep(3)
    [event] = extended(live_stack, game_id)
    began, ended = live_stack.rows(OUTAGES)[0]
    assert (event.down_from, event.down_until) == (began, ended)
    assert ended - began > timedelta(seconds=5)
    later = evolved(log(live_stack, game_id)).deadline
    assert deadline is not None
    assert later is not None
    assert timedelta(seconds=5) < later - deadline <= ended - began


def evolved(events: list[tuple[Event, datetime]]) -> Game:
    """The game that a log tells."""
    game: Game | None = None
    for event, _ in events:
        game = evolve(game, event)
    assert game is not None
    return game


def extended(stack: LiveStack, game_id: str) -> list[DeadlineExtended]:
    """How often time was given back."""
    return [event for event, _ in log(stack, game_id) if isinstance(event, DeadlineExtended)]
