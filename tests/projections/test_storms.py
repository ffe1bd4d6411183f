"""Games end, are voided and rebuilt at once: what is left is what a rebuild makes of the logs."""

import random
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from uuid import UUID

import pytest
from django.conf import LazySettings
from django.utils import timezone

from games.models import GameFinish, Ladder, Meeting, Player, Rating, RatingChange
from games.projections.ratings import ratings_apply_pending
from games.projections.rebuild import ratings_rebuild, results_rebuild
from games.services.errors import ServiceError
from games.services.game_seats import game_resign
from games.services.game_void import game_void
from tests.projections.test_rebuild import TABLES, rows, silent
from tests.scores import new_players
from tests.services.test_game_void import ended, table
from tests.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)
TURN = datetime.max.replace(tzinfo=UTC)


def season_by_turn(at: datetime) -> str:
    """One of two seasons."""
    return "1" if at < TURN else "2"


@pytest.fixture(autouse=True)
def short(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two meetings a day in full, and the sweep comes at once."""
    settings.RATING_REPEATS = [2, 9]
    settings.SEASON_OF = f"{__name__}.season_by_turn"
    monkeypatch.setattr("games.projections.ratings.PENDING_AFTER", timedelta(0))


@pytest.mark.parametrize("seed", range(3))
def test_what_is_left_is_what_a_rebuild_makes(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    chance = random.Random(seed)
    people = new_players(5)
    over = [ended(*_pair(people, chance)) for _ in range(8)]
    calls: list[Callable[[], object]] = [
        *(_rebuilt, _rebuilt, ratings_apply_pending, partial(ratings_apply_pending, voided=True)),
        *(partial(ratings_rebuild, silent, ladders=[one]) for one in ("transfer", "overall")),
    ]
    calls += [partial(_voided, game) for game in over[::2]]
    for number in range(8):
        pair, loser, ruleset = _pair(people, chance)
        game = table(pair, ruleset)
        calls.append(partial(_resigned, game, loser))
        if number % 4 == 0:
            calls.append(partial(_voided, game))
    chance.shuffle(calls)
    # The season turns among them.
    monkeypatch.setattr(f"{__name__}.TURN", timezone.now() + timedelta(seconds=0.3))
    at_once(calls)
    while ratings_apply_pending() + ratings_apply_pending(voided=True):
        pass
    assert not GameFinish.objects.filter(rated_at=None).exists()
    live = rows(*TABLES)
    _rebuilt()
    assert rows(*TABLES) == live
    for kept in (Rating, RatingChange, Ladder, Meeting):
        kept._default_manager.all().delete()
    _rebuilt()
    assert rows(*TABLES) == live


def _pair(people: list[Player], chance: random.Random) -> tuple[list[Player], Player, str]:
    pair = chance.sample(people, 2)
    return pair, chance.choice(pair), chance.choice(["throw_in", "transfer"])


def _rebuilt() -> None:
    results_rebuild(silent)
    ratings_rebuild(silent)


def _resigned(game_id: UUID, loser: Player) -> None:
    with suppress(ServiceError):
        game_resign(game_id=game_id, player_id=loser.id)


def _voided(game_id: UUID) -> None:
    game_void(game_id=game_id, reason="a test")
