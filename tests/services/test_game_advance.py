"""What a write tells the others, and when."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction

from games import signals
from games.models.results import GameFinish, Rating
from games.services.game_seats import game_leave, game_resign
from games.store import log
from tests.scores import new_player, new_players
from tests.tables import head_of, open_table, play_one, player_at, refused
from tests.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)
Heard = list[dict[str, Any]]


@pytest.fixture
def heard() -> Iterator[dict[str, Heard]]:
    """What was announced, and whether a transaction was open then."""
    told: dict[str, Heard] = {"turn_due": [], "game_advanced": []}

    def listen(name: str) -> Any:
        def receive(sender: object, signal: Any, **said: Any) -> None:
            told[name].append(said | {"inside": connection.in_atomic_block})

        getattr(signals, name).connect(receive, weak=False, dispatch_uid=name)
        return receive

    for name in told:
        listen(name)
    yield told
    for name in told:
        getattr(signals, name).disconnect(dispatch_uid=name)


def test_every_write_is_announced_after_its_commit(heard: dict[str, Heard]) -> None:
    game_id = open_table([new_player()], seats=2)
    assert heard["game_advanced"] == [
        {"game_id": game_id, "version": 2, "told": (), "inside": False}
    ]
    assert heard["turn_due"] == []


def test_a_bots_turn_is_announced_with_its_brain(heard: dict[str, Heard]) -> None:
    game_id = open_table(new_players(1), seats=2, bots=("random", "greedy"))
    head = head_of(game_id)
    seat = head.game.to_act[0]
    brain = ("random", "greedy")[seat]
    due = {"game_id": game_id, "version": head.game.version, "seat": seat, "brain": brain}
    assert heard["turn_due"] == [due | {"inside": False}]


def test_what_is_rolled_back_is_not_announced(heard: dict[str, Heard]) -> None:
    creator = new_player()
    with transaction.atomic():
        open_table([creator], seats=2, bots=("greedy",))
        transaction.set_rollback(True)
    with refused("game.not_found"):
        game_leave(game_id=creator.id, player_id=creator.id)
    assert heard == {"turn_due": [], "game_advanced": []}


def test_a_listener_that_fails_costs_nothing(heard: dict[str, Heard]) -> None:
    def fail(**_said: Any) -> None:
        raise RuntimeError("the broker is on fire")

    signals.game_advanced.connect(fail, weak=False, dispatch_uid="fail")
    try:
        game_id = open_table(new_players(2))
        version = play_one(game_id, random.Random(1)).head.game.version
    finally:
        signals.game_advanced.disconnect(dispatch_uid="fail")
    assert head_of(game_id).game.version == version


def test_ratings_are_there_when_the_last_write_returns() -> None:
    players = new_players(2)
    game_id = open_table(players, rated=True)
    game_resign(game_id=game_id, player_id=player_at(game_id, 0))
    assert GameFinish.objects.get(game=game_id).rated_at is not None
    rated = Rating.objects.filter(ladder="throw_in").values_list("player", "durak_count")
    assert dict(rated) == {players[0].id: 1, players[1].id: 0}


def test_a_busy_game_makes_others_wait_no_longer_than_the_limit() -> None:
    game_id = open_table(new_players(2))

    def impatient() -> str:
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '50ms'")
        with pytest.raises(OperationalError, match="lock timeout"):
            play_one(game_id, random.Random(1))
        return "gave up"

    with transaction.atomic():
        log.lock(game_id)
        assert at_once([impatient]) == ["gave up"]
