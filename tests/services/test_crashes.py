"""The process dies in the middle of a request: wherever that is, a retry makes it whole."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import pytest
from django.db import connection

from games.models import DueTurn, Game, GameEvent, GameSeat, Player, QuickMatch
from games.models.results import GameFinish, GameResult, Rating
from games.projections import ratings
from games.services.game_create import Table, game_create
from games.services.game_rematch import game_rematch
from games.services.game_seats import game_join, game_resign
from games.services.move_play import move_play
from games.services.once import Key, Reply, fingerprint, once
from games.services.quick_match_create import Wish, quick_match_create
from games.store import log
from tests.scores import new_player, new_players
from tests.tables import head_of, move_for, open_table, player_at

pytestmark = pytest.mark.django_db(transaction=True)
MOST = 40


class Death(BaseException):
    """What no `except Exception` survives."""


class Countdown:
    """Cuts the connection and dies in place of a statement."""

    def __init__(self, left: int) -> None:
        self.left = left

    def __call__(self, execute: Any, *statement: Any) -> Any:
        """A statement: runs, or is the end."""
        if self.left == 0:
            connection.connection.close()
            raise Death
        self.left -= 1
        return execute(*statement)


@contextmanager
def dying_at(statement: int) -> Iterator[None]:
    """Die at the statement with this number, if there are as many."""
    try:
        with connection.execute_wrapper(Countdown(statement)):
            yield
    except Death:
        connection.close()


def try_everywhere(prepare: Callable[[], Callable[[], Reply]]) -> int:
    """Let a fresh request die at each of its statements, and retry; how many there were."""
    for statement in range(MOST):
        request, answered = prepare(), []
        with dying_at(statement):
            answered.append(request())
        again = request()
        if answered:
            assert again.replayed
            return statement
    raise AssertionError("it never came to its end")


def check_game(game_id: UUID) -> None:
    """Row, seats, log and debts agree."""
    row, folded = Game.objects.get(id=game_id), log.replay(game_id)
    assert (row.version, row.status) == (folded.version, folded.status)
    assert GameEvent.objects.filter(game=game_id).count() == row.version
    seats = dict(GameSeat.objects.filter(game=game_id).values_list("seat", "player"))
    taken = [chair.player for chair in folded.chairs if chair.player is not None]
    assert [str(seats[seat]) for seat in sorted(seats)] == taken
    owed = any(folded.chairs[seat].brain for seat in folded.to_act)
    assert DueTurn.objects.filter(game=game_id).exists() == owed


def key(player_id: UUID) -> Key:
    """A client's key."""
    return Key(player_id, "/x", "k", fingerprint(b"x"))


def test_a_move() -> None:
    games: list[tuple[UUID, int]] = []

    def prepare() -> Callable[[], Reply]:
        game_id = open_table(new_players(2))
        game = head_of(game_id).game
        seat, body = move_for(game, random.Random(1))
        player = player_at(game_id, seat)
        games.append((game_id, game.version + 1))

        def act() -> Reply:
            move_play(game_id=game_id, player_id=player, body=body)
            return Reply(201, b"")

        return lambda: once(key(player), act)

    assert try_everywhere(prepare) == 4
    for game_id, version in games:
        check_game(game_id)
        assert Game.objects.get(id=game_id).version == version


def test_a_creation_with_bots() -> None:
    def prepare() -> Callable[[], Reply]:
        Player.objects.filter(kind="bot").exclude(seats__isnull=False).delete()
        player, table = new_player().id, Table("throw_in", 2, bots=("greedy", "random"))

        def act() -> Reply:
            head = game_create(creator=player, kind="human", table=table).head
            return Reply(201, str(head.id).encode())

        return lambda: once(key(player), act)

    tried = try_everywhere(prepare)
    assert tried > 5
    assert Game.objects.count() == tried + 1
    for row in Game.objects.all():
        check_game(row.id)


def test_the_join_that_starts_the_game() -> None:
    games: list[UUID] = []

    def prepare() -> Callable[[], Reply]:
        game_id = open_table([new_player()], seats=3, bots=("greedy",))
        games.append(game_id)
        player = new_player().id

        def act() -> Reply:
            game_join(game_id=game_id, player_id=player, kind="human")
            return Reply(200, b"")

        return lambda: once(key(player), act)

    try_everywhere(prepare)
    for game_id in games:
        check_game(game_id)
        assert head_of(game_id).game.status == "running"


def test_the_call_for_a_rematch() -> None:
    """First and last one: of a finished game there is one next game in the end."""
    games: list[UUID] = []

    def prepare() -> Callable[[], Reply]:
        players = new_players(2)
        game_id = open_table(players)
        game_resign(game_id=game_id, player_id=players[0].id)
        games.append(game_id)

        def act() -> Reply:
            for player in players:
                game_rematch(game_id=game_id, player_id=player.id, kind="human")
            return Reply(200, b"")

        return lambda: once(key(players[0].id), act)

    assert try_everywhere(prepare) > 15
    for game_id in games:
        following = Game.objects.get(match_id=UUID(head_of(game_id).game.match), game_number=2)
        assert following.status == "running"
        check_game(following.id)


def test_the_last_move_of_a_rated_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Results come with the move; ratings that were lost are found by the sweep."""

    def prepare() -> Callable[[], Reply]:
        players = new_players(2)
        game_id = open_table(players, rated=True)

        def act() -> Reply:
            game_resign(game_id=game_id, player_id=players[0].id)
            return Reply(200, b"")

        return lambda: once(key(players[0].id), act)

    tried = try_everywhere(prepare)
    monkeypatch.setattr(ratings, "PENDING_AFTER", -ratings.PENDING_AFTER)
    ratings.ratings_apply_pending()
    assert GameResult.objects.count() == 2 * (tried + 1)
    assert set(GameFinish.objects.values_list("rated_at", flat=True)) - {None}
    assert not GameFinish.objects.filter(rated_at=None).exists()
    rated = Rating.objects.filter(ladder="throw_in").values_list("games", flat=True)
    assert list(rated) == [1] * 2 * (tried + 1)
    for row in Game.objects.all():
        check_game(row.id)


def test_a_quick_match() -> None:
    """Two have waited: the third is matched with both, whatever died between ticket and answer."""
    parties: list[list[UUID]] = []
    wish = Wish(("throw_in",), (3,))

    def prepare() -> Callable[[], Reply]:
        QuickMatch.objects.filter(status="waiting").delete()
        *others, last = [player.id for player in new_players(3)]
        for player in others:
            quick_match_create(player_id=player, wish=wish)
        parties.append([*others, last])

        def act() -> Reply:
            return Reply(201, str(quick_match_create(player_id=last, wish=wish).pk).encode())

        return lambda: once(key(last), act)

    tried = try_everywhere(prepare)
    assert tried > 8
    assert Game.objects.count() == len(parties) == tried + 1
    for party in parties:
        assert QuickMatch.objects.filter(player__in=party, status="matched").count() == 3
        [game_id] = set(QuickMatch.objects.filter(player__in=party).values_list("game", flat=True))
        assert GameSeat.objects.filter(game=game_id, player__in=party).count() == 3
        check_game(game_id)
