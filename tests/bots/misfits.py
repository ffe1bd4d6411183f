"""Brains that no table should suffer from. The live stack and the tests register them."""

import itertools
import os
import random
import signal
import time
from collections.abc import Callable
from typing import Any

from bots.brains import brain, brain_get
from bots.brains.registry import Answer, History, View
from tests.bots import ponderer

assert ponderer.Ponderer
# Some misbehave only in the first turns of a game for two, so that the rest of it goes fast.
EARLY = 10


class Misfit:
    """Plays like greedy after `misbehave`, unless that gives an answer of its own."""

    def choose(self, view: View, history: History, rng: random.Random, budget: int) -> Any:
        answer = self.misbehave(view)
        return answer or brain_get("greedy").brain.choose(view, history, rng, budget)

    def misbehave(self, view: View) -> Any:
        raise NotImplementedError


def misfit(name: str) -> Callable[[Callable[[View], Any]], None]:
    """Register a function as what the misfit `name` does to a view."""

    def register(act: Callable[[View], Any]) -> None:
        def misbehave(self: Misfit, view: View) -> Any:
            return act(view)

        brain(name)(type(name, (Misfit,), {"misbehave": misbehave}))

    return register


@misfit("slow")
def slow(view: View) -> None:
    """Uses most of the time that it has."""
    if view["version"] < EARLY:
        time.sleep(1.5)


@misfit("sleeper")
def sleeper(view: View) -> None:
    """Never comes back by itself."""
    if view["version"] < EARLY:
        time.sleep(3600)


@misfit("spinner")
def spinner(view: View) -> None:
    """Keeps the processor busy and lets no ordinary exception out."""
    while True:
        try:
            sum(range(1000))
        except Exception:  # noqa: BLE001
            continue


@misfit("hanger")
def hanger(view: View) -> None:
    """Hangs in C, where no signal reaches it, at the beginning of its game."""
    if view["version"] < EARLY and not view["discard_count"]:
        all(itertools.repeat(True))


@misfit("raiser")
def raiser(view: View) -> None:
    """Fails."""
    raise ZeroDivisionError("a bug")


@misfit("cheater")
def cheater(view: View) -> Answer:
    """Plays a card that is not in its hand."""
    foreign = next(
        card
        for card in ("6S", "7S", "8S", "9S", "TS", "JS", "QS", "KS", "AS")
        if card not in view["you"]["hand"]
    )
    return {"type": "attack", "cards": [foreign]}


@misfit("babbler")
def babbler(view: View) -> object:
    """Answers what is no move at all."""
    return object()


@misfit("vandal")
def vandal(view: View) -> Answer:
    """Spoils what it was shown, and answers nonsense."""
    view["you"]["legal_moves"].clear()
    view["you"]["hand"].clear()
    return {"type": "beat", "target": "??", "cards": ["6S"]}


@misfit("crasher")
def crasher(view: View) -> None:
    """Takes its whole process down, as a fault in a C library would."""
    if view["version"] < EARLY:
        os.kill(os.getpid(), signal.SIGKILL)


OUTRIGHT = ("raiser", "cheater", "babbler", "vandal")
