"""Tables with bots, and turns played without a broker."""

from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

import pytest

from bots import dispatch
from bots.brains import brain_list
from bots.brains.registry import Brain, forget
from bots.brains.registry import brain as register
from bots.services import turn_play
from games.models import Game
from games.services.game_create import Table, game_create
from games.services.house import brain_announce
from games.services.player_register import player_register
from tests.bots import misfits

assert misfits.OUTRIGHT


@pytest.fixture(autouse=True)
def everybody_known() -> None:
    """Every registered brain may be seated."""
    for entry in brain_list():
        brain_announce(entry.name)


@pytest.fixture
def creator(transactional_db: None) -> UUID:
    """Somebody who opens tables and watches."""
    return player_register(name="ann").player.id


@pytest.fixture
def bots_game(creator: UUID) -> Callable[..., UUID]:
    """Open a game of bots alone and return its id: ``bots_game("greedy", "random")``."""

    def open_game(*brains: str, **more: Any) -> UUID:
        table = Table(**{"ruleset": "throw_in", **more}, seats=len(brains), bots=brains)
        return game_create(creator=creator, kind="human", table=table).head.id

    return open_game


@pytest.fixture
def unsent(monkeypatch: pytest.MonkeyPatch) -> None:
    """No message reaches the broker: turns are played by the test alone."""
    monkeypatch.setattr(dispatch._Broker, "silent_until", float("inf"))


@pytest.fixture
def temporary_brain() -> Iterator[Callable[[str, type[Brain]], None]]:
    """Register a class as a brain for one test."""
    names: list[str] = []

    def add(name: str, cls: type[Brain], **more: Any) -> None:
        register(name, **more)(cls)
        brain_announce(name)
        names.append(name)

    yield add
    for name in names:
        forget(name)


def play_out(game_id: UUID) -> list[str]:
    """Play every turn of the game that bots owe, in this process; return the outcomes."""
    outcomes = []
    while (game := Game.objects.get(id=game_id)).status == Game.Status.RUNNING:
        outcomes.append(turn_play(game_id=game_id, version=game.version))
        assert outcomes[-1] != "stale"
    return outcomes
