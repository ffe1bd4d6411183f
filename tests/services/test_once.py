"""Exactly once, whatever fails in between."""

import random
from collections.abc import Callable
from uuid import UUID

import pytest
from django.db import DataError, connection, transaction

from games.models import Game, IdempotencyKey
from games.services.errors import ServiceError
from games.services.game_create import Table, game_create
from games.services.move_play import move_play
from games.services.once import Key, Reply, fingerprint, once
from games.store import log
from tests.scores import new_player, new_players
from tests.tables import head_of, move_for, open_table, player_at
from tests.threads import at_once

pytestmark = pytest.mark.django_db
threads = pytest.mark.django_db(transaction=True)
PATH = "/api/v1/games/x/moves"
MANY = 8


@pytest.fixture
def player() -> UUID:
    """Whose keys they are."""
    return new_player().id


def key(player: UUID, text: str = "k", body: bytes = b"{}", path: str = PATH) -> Key:
    """A key as a request carries it."""
    return Key(player, path, text, fingerprint(b"POST", body, b""))


class Act:
    """Something that should happen once, and answers differently each time."""

    def __init__(self, refusals: int = 0) -> None:
        self.done = 0
        self.refusals = refusals

    def __call__(self) -> Reply:
        if self.refusals:
            self.refusals -= 1
            raise ServiceError("game.full")
        self.done += 1
        return Reply(201, f"{self.done} ы".encode(), {"ETag": f'"v{self.done}"'})


def test_the_same_request_is_answered_alike(player: UUID) -> None:
    act = Act()
    first = once(key(player), act)
    again = once(key(player), act)
    assert act.done == 1
    assert (first.replayed, again.replayed) == (False, True)
    assert (again.status, again.body, again.headers) == (201, first.body, first.headers)


def test_without_a_key_it_happens_each_time() -> None:
    act = Act()
    assert [once(None, act).body for _ in range(2)] == ["1 ы".encode(), "2 ы".encode()]
    assert not IdempotencyKey.objects.exists()


def test_another_body_is_not_answered(player: UUID) -> None:
    act = Act()
    once(key(player), act)
    with pytest.raises(ServiceError, match=r"idempotency\.key_reused"):
        once(key(player, body=b"{ }"), act)
    assert act.done == 1


def test_a_refusal_leaves_the_key_free(player: UUID) -> None:
    act = Act(refusals=1)
    with pytest.raises(ServiceError, match=r"game\.full"):
        once(key(player), act)
    assert not IdempotencyKey.objects.exists()
    assert once(key(player, body=b"another"), act).replayed is False


def test_a_key_belongs_to_player_and_path(player: UUID) -> None:
    act = Act()
    others = [key(new_player().id), key(player, path=PATH + "y"), key(player, text="K")]
    replies = [once(one, act) for one in (key(player), *others)]
    assert [reply.replayed for reply in replies] == [False] * 4


def test_parts_of_a_request_do_not_run_together() -> None:
    assert fingerprint(b"ab", b"c") != fingerprint(b"a", b"bc") != fingerprint(b"abc")


def test_what_cannot_be_remembered_does_not_happen(player: UUID) -> None:
    """The process may die, or the database refuse, before the answer is kept: all is undone."""

    def create() -> Reply:
        table = Table(ruleset="throw_in", seats=2)
        game_create(creator=player, kind="human", table=table)
        return Reply(201, b"")

    with pytest.raises(DataError):
        once(key(player, path="/" * 200), create)
    assert not Game.objects.exists()


def moving(game_id: UUID, text: str) -> Callable[[], Reply]:
    """A call that plays the first legal move with a key and no expected version."""
    seat, body = move_for(head_of(game_id).game, random.Random(1))
    player = player_at(game_id, seat)

    def act() -> Reply:
        outcome = move_play(game_id=game_id, player_id=player, body=body)
        return Reply(201, str(outcome.at).encode())

    return lambda: once(key(player, text=text), act)


@threads
def test_many_retries_at_once_move_once() -> None:
    game_id = open_table(new_players(2))
    version = head_of(game_id).game.version
    replies = at_once([moving(game_id, "k")] * MANY)
    assert len({reply.body for reply in replies}) == 1
    assert sorted(reply.replayed for reply in replies) == [False] + [True] * (MANY - 1)
    assert head_of(game_id).game.version == version + 1


@threads
def test_many_creations_at_once_make_one_game() -> None:
    player = new_player().id

    def create() -> Reply:
        table = Table(ruleset="throw_in", seats=2)
        outcome = game_create(creator=player, kind="human", table=table)
        return Reply(201, str(outcome.head.id).encode())

    replies = at_once([lambda: once(key(player), create)] * MANY)
    assert {reply.body.decode() for reply in replies} == {str(Game.objects.get().id)}


@threads
def test_who_waits_too_long_is_told_to_come_again() -> None:
    game_id = open_table(new_players(2))
    move = moving(game_id, "k")

    def impatient() -> str:
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '50ms'")
        with pytest.raises(ServiceError) as caught:
            move()
        return caught.value.code

    with transaction.atomic():
        log.lock(game_id)
        assert at_once([impatient]) == ["idempotency.in_progress"]
    assert move().replayed is False
