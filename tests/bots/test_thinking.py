"""The cap on thinking, and the chance of a turn."""

import math
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from bots.brains import brain_get
from bots.brains.registry import Answer, History, Thought, View
from bots.models import Incident
from bots.thinking import BrainTrouble, OvertimeError, think, turn_seed, wall_cap
from bots.turns import Turn

GAME, OTHER = UUID(int=1), UUID(int=2)


def test_a_block_in_time_is_left_alone() -> None:
    with wall_cap(0.05):
        value = 1
    time.sleep(0.1)
    assert value == 1


def go_on(kept: type[BaseException], times: float) -> None:
    """Think for ever, and keep exceptions of one kind so many times."""
    with wall_cap(0.05):
        while True:
            try:
                time.sleep(10)
            except kept:
                times -= 1
                if times <= 0:
                    raise


def test_a_block_that_swallows_exceptions_is_interrupted() -> None:
    began = time.monotonic()
    with pytest.raises(OvertimeError):
        go_on(Exception, math.inf)
    assert time.monotonic() - began < 1


def test_one_that_swallows_the_interruption_is_interrupted_again() -> None:
    began = time.monotonic()
    with pytest.raises(OvertimeError):
        go_on(OvertimeError, 3)
    assert 0.2 < time.monotonic() - began < 1


def test_the_alarm_is_given_back() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with pytest.raises(OvertimeError), wall_cap(0.01):
        time.sleep(1)
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_other_threads_cannot_be_capped() -> None:
    failures: list[BaseException] = []

    def capped() -> None:
        try:
            with wall_cap(1):
                pass
        except RuntimeError as error:
            failures.append(error)

    thread = threading.Thread(target=capped)
    thread.start()
    thread.join()
    assert len(failures) == 1


def test_a_turn_has_the_same_chance_each_time_it_is_played() -> None:
    assert turn_seed(b"s", GAME, 7) == turn_seed(b"s", GAME, 7)


def test_another_game_version_or_secret_has_another_chance() -> None:
    streams = [(b"s", GAME, 7), (b"s", GAME, 8), (b"s", OTHER, 7), (b"t", GAME, 7)]
    assert len({turn_seed(*stream) for stream in streams}) == 4


TURN = Turn(GAME, 7, 0, "one", {"version": 7, "you": {"legal_moves": [{"type": "take"}]}})
Add = Callable[..., None]


class Says:
    """A brain that thinks what it is told to think."""

    thought: Any = None

    def choose(self, view: View, history: History, rng: random.Random, budget: int) -> Answer:
        return {"type": "take"}

    def think(
        self,
        view: View,
        history: History,
        rng: random.Random,
        budget: int,
        until: float | None = None,
        iterations: int | None = None,
    ) -> Any:
        return self.thought


def thought_by(add: Add, thought: Any) -> Thought:
    """What comes of a brain's thought."""
    add("one", type("One", (Says,), {"thought": thought}))
    return think(brain_get("one"), TURN, (), b"seed", 400, 1.0)


def test_a_thought_comes_as_plain_data(temporary_brain: Add) -> None:
    given = Thought({"type": "attack", "cards": ("6S",)}, 12, exact=True)
    assert thought_by(temporary_brain, given) == Thought(
        {"type": "attack", "cards": ["6S"]}, 12, exact=True
    )


@pytest.mark.parametrize(
    "nonsense",
    [
        None,
        "take",
        Thought(["take"]),
        Thought({"type": object()}),
        Thought({"type": "take"}, -1),
        Thought({"type": "take"}, 2**31),
        Thought({"type": "take"}, 1.5),
        Thought({"type": "take"}, exact=None),
    ],
)
def test_what_is_no_thought_is_an_illegal_answer(temporary_brain: Add, nonsense: Any) -> None:
    with pytest.raises(BrainTrouble) as trouble:
        thought_by(temporary_brain, nonsense)
    assert trouble.value.kind == Incident.Kind.ILLEGAL


def test_a_search_is_told_to_stop_before_it_is_interrupted() -> None:
    began = time.monotonic()
    thought = think(brain_get("ponderer"), TURN, (), b"seed", 10**9, 0.4)
    assert time.monotonic() - began >= 0.25
    assert 0 < thought.iterations < 10**9


COLD = """
import django
django.setup()
from uuid import UUID
from bots.brains import brain_get
from bots.table import Table
from bots.thinking import BrainTrouble, think
from bots.turns import Turn
from games.rules.rulesets.registry import ruleset

table = Table(ruleset("throw_in", players=2), ("a", "b"), "talon")
seat = table.to_act[0]
turn = Turn(UUID(int=1), 1, seat, "ismcts", table.view(seat))

def thought(seconds):
    try:
        return think(brain_get("ismcts"), turn, table.history(seat), b"", 40, seconds).iterations
    except BrainTrouble as trouble:
        return trouble.kind.name

for _ in range(12):
    thought(0.1)
thought(60)
print(thought(60))
"""


def test_a_process_that_was_cut_short_at_first_thinks_later() -> None:
    """What loads the compiler cannot be interrupted and begun again."""
    done = subprocess.run([sys.executable, "-c", COLD], check=False, capture_output=True, text=True)
    assert done.stdout.split() == ["40"], done.stderr
