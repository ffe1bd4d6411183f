"""A bot's turn: the same path as a person's, whatever the brain does."""

import random
import time
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from django.conf import LazySettings

from bots.brains.patterns import safe_move
from bots.brains.registry import Answer, History, View, forget
from bots.models import Incident
from bots.services import turn_play
from bots.thinking import turn_seed
from games.models import DueTurn, Game, GameEvent
from games.rules.cards import CARDS, to_cards
from games.store import log
from tests.bots.conftest import play_out
from tests.bots.misfits import OUTRIGHT

pytestmark = [pytest.mark.usefixtures("unsent"), pytest.mark.django_db(transaction=True)]
Open = Callable[..., UUID]


def version_of(game_id: UUID) -> int:
    return Game.objects.get(id=game_id).version


def counted() -> dict[tuple[str, str], int]:
    return {(row.kind, row.brain): row.count for row in Incident.objects.all()}


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_a_game_of_bots_comes_to_its_end(bots_game: Open, seats: int) -> None:
    game_id = bots_game(*(["greedy", "random"] * 3)[:seats])
    assert set(play_out(game_id)) == {"played"}
    game = Game.objects.get(id=game_id)
    sequence = list(
        GameEvent.objects.filter(game=game).order_by("seq").values_list("seq", flat=True)
    )
    assert sequence == list(range(1, game.version + 1))
    assert not DueTurn.objects.exists()
    assert counted() == {}


def test_a_turn_is_played_once(bots_game: Open) -> None:
    game_id = bots_game("greedy", "greedy")
    version = version_of(game_id)
    assert turn_play(game_id=game_id, version=version) == "played"
    after = version_of(game_id)
    assert turn_play(game_id=game_id, version=version) == "stale"
    assert version_of(game_id) == after


def test_a_turn_of_a_finished_game_or_of_none_is_nothing(bots_game: Open, creator: UUID) -> None:
    game_id = bots_game("greedy", "greedy")
    play_out(game_id)
    assert turn_play(game_id=game_id, version=version_of(game_id)) == "stale"
    assert turn_play(game_id=creator, version=1) == "stale"


@pytest.mark.parametrize(
    ("name", "kind"),
    list(zip(OUTRIGHT, ("raised", "illegal", "illegal", "illegal"), strict=True)),
)
def test_a_bad_brain_costs_its_own_seat_a_safe_move(bots_game: Open, name: str, kind: str) -> None:
    game_id = bots_game(name, "greedy", "greedy")
    outcomes = play_out(game_id)
    assert {"safe", "played"} == set(outcomes)
    assert counted() == {(kind, name): outcomes.count("safe")}
    assert Game.objects.get(id=game_id).status == Game.Status.FINISHED


@pytest.mark.parametrize("name", ["sleeper", "spinner"])
def test_a_brain_that_hangs_is_interrupted(
    bots_game: Open, settings: LazySettings, name: str
) -> None:
    settings.BOT_WALL_SECONDS = 0.2
    game_id = bots_game(name, name)
    began = time.monotonic()
    assert turn_play(game_id=game_id, version=version_of(game_id)) == "safe"
    assert time.monotonic() - began < 1.5
    assert counted() == {("overtime", name): 1}


def test_a_turn_begun_too_often_is_made_without_thinking(bots_game: Open) -> None:
    game_id = bots_game("greedy", "greedy")
    DueTurn.objects.update(attempts=2)
    assert turn_play(game_id=game_id, version=version_of(game_id)) == "safe"
    assert counted() == {("lost", "greedy"): 1}
    assert DueTurn.objects.get().attempts == 0


def test_a_brain_that_this_release_lacks_makes_safe_moves(
    bots_game: Open, temporary_brain: Callable[..., None]
) -> None:
    temporary_brain("short_lived", Watcher)
    game_id = bots_game("short_lived", "short_lived")
    forget("short_lived")
    assert turn_play(game_id=game_id, version=version_of(game_id)) == "safe"
    assert counted() == {("raised", "short_lived"): 1}


class Watcher:
    """Keeps what it was given, and plays safe."""

    seen: list[tuple[dict[str, Any], list[dict[str, Any]], float]] = []

    def choose(self, view: View, history: History, rng: random.Random, budget: int) -> Answer:
        Watcher.seen.append((dict(view), [dict(event) for event in history], rng.random()))
        return safe_move(view)


@pytest.fixture
def watched(bots_game: Open, temporary_brain: Callable[..., None]) -> UUID:
    """A game of brains that write down what they are shown."""
    Watcher.seen.clear()
    temporary_brain("watcher", Watcher, reads_history=True)
    return bots_game("watcher", "watcher", "watcher")


def test_a_brain_is_shown_its_own_cards_and_no_others(watched: UUID) -> None:
    for _ in range(12):
        before = log.load(watched)
        assert before is not None
        assert before.game.state is not None
        turn_play(game_id=watched, version=before.game.version)
        view, history, _ = Watcher.seen[-1]
        seat = view["you"]["seat"]
        state = before.game.state
        assert view["you"]["hand"] == list(to_cards(state.hands[seat]))
        shown = str(view)
        hidden = {
            card
            for other, hand in enumerate(state.hands)
            if other != seat
            for card in to_cards(hand)
        } | set(state.talon[:-1])
        assert [card for card in CARDS if card in hidden and f"'{card}'" in shown] == []
        drawn = [event for event in history if event["type"] == "hand_replenished"]
        assert all(
            set(event["data"]["cards"]) <= {"??", view["turn_up"], state.turn_up}
            for event in drawn
            if event["seat"] != seat
        )


def test_the_history_is_the_log_so_far(watched: UUID) -> None:
    for _ in range(3):
        version = version_of(watched)
        turn_play(game_id=watched, version=version)
        _, history, _ = Watcher.seen[-1]
        assert [event["seq"] for event in history] == list(range(1, version + 1))


def test_the_chance_of_a_turn_follows_from_the_games_secret_and_the_version(watched: UUID) -> None:
    version = version_of(watched)
    turn_play(game_id=watched, version=version)
    secret = bytes(Game.objects.get(id=watched).bot_secret)
    assert Watcher.seen[-1][2] == random.Random(turn_seed(secret, watched, version)).random()
