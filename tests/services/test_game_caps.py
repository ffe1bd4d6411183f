"""How many games a player may have at a time, however many he asks for at once."""

from collections import Counter
from functools import partial
from typing import Any
from uuid import UUID

import pytest
from pytest_django import Settings

from games.models import Game, GameSeat, Player
from games.services.errors import ServiceError
from games.services.game_create import Table, game_create
from games.services.game_rematch import game_rematch
from games.services.game_seats import game_bot_add, game_join, game_leave, game_resign
from games.services.quick_match_create import Wish, quick_match_create
from tests.scores import new_player, new_players
from tests.tables import open_table, refused
from tests.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def few(settings: Settings) -> None:
    """Two open games, three that are not over."""
    settings.OPEN_GAMES_PER_PLAYER, settings.GAMES_PER_PLAYER = 2, 3


def create(player: Player, **table: Any) -> UUID:
    """A table of the player's."""
    asked = Table(**{"ruleset": "throw_in", "seats": 2, **table})
    return game_create(creator=player.id, kind=player.kind, table=asked).head.id


def join(game_id: UUID, player: Player) -> None:
    """Sit down."""
    game_join(game_id=game_id, player_id=player.id, kind=player.kind)


def test_open_games_are_counted_whoever_has_opened_them() -> None:
    ann, bob = new_players(2)
    create(ann)
    join(create(bob, seats=3), ann)
    before = Game.objects.count()
    with refused("game.too_many", counted="open", limit=2):
        create(ann)
    table = create(bob, seats=3)
    with refused("game.too_many", counted="open", limit=2):
        join(table, ann)
    assert Game.objects.count() == before + 1
    assert not GameSeat.objects.filter(game=table, player=ann).exists()


def test_a_game_that_starts_at_once_is_not_open() -> None:
    ann = new_player()
    create(ann)
    create(ann)
    create(ann, bots=("greedy",))
    with refused("game.too_many", counted="unfinished", limit=3):
        create(ann, bots=("greedy",))


def test_what_is_over_or_left_before_the_start_does_not_count() -> None:
    ann, bob, cat = new_players(3)
    tables = [open_table([ann, bob]) for _ in range(3)]
    with refused("game.too_many", counted="unfinished", limit=3):
        open_table([ann, cat])
    game_resign(game_id=tables[0], player_id=bob.id)
    table = create(cat, seats=3)
    join(table, ann)
    game_leave(game_id=table, player_id=ann.id)
    join(create(cat, seats=3), ann)


def test_who_only_watches_bots_has_made_the_game_all_the_same() -> None:
    ann = new_player()
    for _ in range(3):
        create(ann, bots=("greedy", "random"))
    with refused("game.too_many", counted="unfinished", limit=3):
        create(ann, bots=("greedy", "random"))


def test_bots_of_the_house_may_play_as_many_as_they_are_asked_to() -> None:
    for player in new_players(4):
        table = create(player, seats=3)
        game_bot_add(game_id=table, player_id=player.id, brain="greedy")
    assert GameSeat.objects.filter(player__kind="bot", is_over=False).count() == 4


def test_a_rematch_is_a_game() -> None:
    ann, bob = new_players(2)
    first = open_table([ann, bob])
    game_resign(game_id=first, player_id=bob.id)
    create(ann)
    create(ann)
    with refused("game.too_many", counted="open", limit=2):
        game_rematch(game_id=first, player_id=ann.id, kind="human")
    opened = game_rematch(game_id=first, player_id=bob.id, kind="human").head
    started = game_rematch(game_id=first, player_id=ann.id, kind="human").head
    assert (started.id, started.game.status) == (opened.id, "running")


def test_a_ticket_is_a_game_to_come() -> None:
    ann, bob = new_players(2)
    quick_match_create(player_id=ann.id, wish=Wish(("throw_in",), (2,)))
    for _ in range(2):
        open_table([ann, bob])
    with refused("game.too_many", counted="unfinished", limit=3):
        open_table([ann, bob])
    create(bob)
    with refused("game.too_many", counted="unfinished", limit=3):
        quick_match_create(player_id=bob.id, wish=Wish(("simple",), (2,)))


def outcome(call: Any) -> str:
    """What came of a call."""
    try:
        call()
    except ServiceError as error:
        return error.code
    return "done"


def test_many_joins_at_once_do_not_get_past_it() -> None:
    ann = new_player()
    tables = [create(player, seats=3) for player in new_players(6)]
    calls = [partial(outcome, partial(join, table, ann)) for table in tables]
    assert Counter(at_once(calls)) == {"done": 2, "game.too_many": 4}
    assert GameSeat.objects.filter(player=ann).count() == 2


def test_nor_do_tables_joins_and_tickets_at_once(settings: Settings) -> None:
    settings.OPEN_GAMES_PER_PLAYER = 3
    ann = new_player()
    tables = [create(player, seats=3) for player in new_players(3)]
    wish = Wish(("throw_in",), (2,))
    calls: list[Any] = [
        *(partial(join, table, ann) for table in tables),
        *(partial(create, ann) for _ in range(3)),
        partial(quick_match_create, player_id=ann.id, wish=wish),
    ]
    assert Counter(at_once([partial(outcome, call) for call in calls])) == {
        "done": 3,
        "game.too_many": 4,
    }
