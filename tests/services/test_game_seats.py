"""Taking, leaving and handing over seats."""

import random
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from games.models import DueTurn, Game, GameSeat, Player
from games.models.results import GameResult
from games.services.game_seats import (
    game_bot_add,
    game_join,
    game_leave,
    game_resign,
    game_return,
    game_start,
)
from games.services.house import SUBSTITUTE
from games.store import log
from tests.scores import new_player, new_players
from tests.tables import (
    head_of,
    open_table,
    play_one,
    play_out,
    player_at,
    refused,
    types_of,
)

pytestmark = pytest.mark.django_db
ANYBODY = ("join", "leave", "return", "resign", "start", "bots")


def join(game_id: UUID, player_id: UUID | None = None, **more: Any) -> UUID:
    """A player, new if none is named, takes a seat; his id."""
    player_id = player_id or new_player().id
    game_join(game_id=game_id, player_id=player_id, kind="human", **more)
    return player_id


def call(what: str, game_id: UUID, player_id: UUID) -> None:
    """One of ANYBODY."""
    known: dict[str, Callable[..., Any]] = {
        "join": lambda **who: game_join(kind="human", **who),
        "leave": game_leave,
        "return": game_return,
        "resign": game_resign,
        "start": game_start,
        "bots": lambda **who: game_bot_add(brain="greedy", **who),
    }
    known[what](game_id=game_id, player_id=player_id)


def brains(game_id: UUID) -> list[str | None]:
    """The brain that plays each seat."""
    return [chair.brain for chair in head_of(game_id).game.chairs]


def out_of(game_id: UUID) -> tuple[int, ...]:
    """The seats that have gone out."""
    state = head_of(game_id).game.state
    assert state is not None
    return state.out


def finished_game() -> tuple[UUID, UUID]:
    """A finished game and the id of its creator."""
    players = new_players(2)
    game_id = open_table(players)
    game_resign(game_id=game_id, player_id=players[1].id)
    return game_id, players[0].id


class TestJoining:
    """`game_join`"""

    def test_seats_are_taken_in_order(self) -> None:
        game_id = open_table([new_player()], seats=4)
        taken = [join(game_id) for _ in range(2)]
        assert [player_at(game_id, seat) for seat in (1, 2)] == taken
        assert head_of(game_id).game.status == "open"

    def test_the_last_seat_starts_the_game(self) -> None:
        game_id = open_table([new_player()], seats=2)
        join(game_id)
        assert head_of(game_id).game.status == "running"
        assert types_of(game_id, 3)[:2] == ["game_started", "cards_dealt"]

    def test_nobody_sits_twice(self) -> None:
        players = new_players(2)
        game_id = open_table(players, seats=3)
        for player in players:
            with refused("game.already_joined"):
                join(game_id, player.id)

    def test_a_full_table_is_full(self) -> None:
        game_id = open_table(new_players(2), auto_start=False)
        with refused("game.full"):
            join(game_id)
        game_id = open_table(new_players(2))
        with refused("game.full"):
            join(game_id)

    def test_a_seat_that_was_left_is_taken_again(self) -> None:
        players = new_players(2)
        game_id = open_table(players, seats=3)
        game_leave(game_id=game_id, player_id=players[0].id)
        late = join(game_id)
        assert player_at(game_id, 0) == late
        rows = GameSeat.objects.filter(game=game_id).order_by("seat")
        assert list(rows.values_list("player", flat=True)) == [late, players[1].id]

    def test_a_private_table_wants_its_invite(self) -> None:
        creator = new_player()
        game_id = open_table([creator], seats=3, visibility="private")
        invite = head_of(game_id).invite
        for wrong in ("", invite[:-1], invite.swapcase(), invite + "A", "é"):
            with refused("game.not_found"):
                join(game_id, invite=wrong)
        join(game_id, invite=invite)
        game_leave(game_id=game_id, player_id=creator.id)
        join(game_id, creator.id)
        assert player_at(game_id, 0) == creator.id

    def test_a_seed_is_kept_with_its_version(self) -> None:
        game_id = open_table([new_player()], seats=3)
        join(game_id, client_seed="ab")
        chair = head_of(game_id).game.chairs[1]
        assert (chair.client_seed, chair.seeded_at) == ("6162", 3)
        with refused("request.invalid"):
            join(game_id, client_seed="a" * 65)


class TestBots:
    """`game_bot_add`"""

    def test_the_creator_fills_seats_with_bots(self) -> None:
        creator = new_player()
        game_id = open_table([creator], seats=3)
        for brain in ("greedy", "greedy"):
            game_bot_add(game_id=game_id, player_id=creator.id, brain=brain)
        assert brains(game_id) == [None, "greedy", "greedy"]
        assert head_of(game_id).game.status == "running"

    def test_only_he_does(self) -> None:
        players = new_players(2)
        game_id = open_table(players, seats=3)
        with refused("game.not_creator"):
            game_bot_add(game_id=game_id, player_id=players[1].id, brain="greedy")

    def test_a_brain_must_exist(self) -> None:
        creator = new_player()
        game_id = open_table([creator], seats=3)
        with refused("request.invalid"):
            game_bot_add(game_id=game_id, player_id=creator.id, brain="nobody")

    def test_a_bot_takes_no_seat_of_a_full_table(self) -> None:
        players = new_players(2)
        game_id = open_table(players)
        with refused("game.full"):
            game_bot_add(game_id=game_id, player_id=players[0].id, brain="greedy")


class TestStarting:
    """`game_start`"""

    def test_the_creator_starts_a_full_table(self) -> None:
        players = new_players(2)
        game_id = open_table(players, auto_start=False)
        assert head_of(game_id).game.status == "open"
        with refused("game.not_creator"):
            game_start(game_id=game_id, player_id=players[1].id)
        game_start(game_id=game_id, player_id=players[0].id)
        assert head_of(game_id).game.status == "running"
        with refused("game.running"):
            game_start(game_id=game_id, player_id=players[0].id)

    def test_not_while_seats_are_free(self) -> None:
        creator = new_player()
        game_id = open_table([creator], seats=2, auto_start=False)
        with refused("game.not_started"):
            game_start(game_id=game_id, player_id=creator.id)

    def test_who_watches_starts_a_table_of_bots(self) -> None:
        creator = new_player()
        table = {"seats": 2, "bots": ("greedy", "random"), "auto_start": False}
        game_id = open_table([creator], **table)
        game_start(game_id=game_id, player_id=creator.id)
        assert DueTurn.objects.filter(game=game_id).exists()


class TestLeaving:
    """`game_leave` and `game_return`"""

    def test_before_the_start_the_seat_is_free(self) -> None:
        players = new_players(2)
        game_id = open_table(players, seats=3)
        game_leave(game_id=game_id, player_id=players[1].id)
        assert types_of(game_id)[-1] == "player_left"
        with refused("game.not_joined"):
            game_leave(game_id=game_id, player_id=players[1].id)
        join(game_id, players[1].id)

    def test_a_seat_that_is_left_stops_the_start(self) -> None:
        players = new_players(2)
        game_id = open_table(players, auto_start=False)
        game_leave(game_id=game_id, player_id=players[1].id)
        with refused("game.not_started"):
            game_start(game_id=game_id, player_id=players[0].id)

    def test_while_the_game_runs_a_bot_sits_in(self) -> None:
        game_id = open_table(new_players(2))
        seat = head_of(game_id).game.to_act[0]
        player = player_at(game_id, seat)
        game_leave(game_id=game_id, player_id=player)
        head = head_of(game_id)
        assert head.game.chairs[seat].brain == SUBSTITUTE
        assert head.sitters[seat] == Player.objects.values_list("name", "kind").get(id=player)
        assert DueTurn.objects.get(game=game_id).version == head.game.version
        game_leave(game_id=game_id, player_id=player)
        assert head_of(game_id).game.version == head.game.version

    def test_who_returns_plays_again(self) -> None:
        game_id = open_table(new_players(2))
        seat = head_of(game_id).game.to_act[0]
        player = player_at(game_id, seat)
        game_leave(game_id=game_id, player_id=player)
        game_return(game_id=game_id, player_id=player)
        assert brains(game_id) == [None, None]
        assert not DueTurn.objects.filter(game=game_id).exists()
        version = head_of(game_id).game.version
        game_return(game_id=game_id, player_id=player)
        assert head_of(game_id).game.version == version
        assert play_one(game_id, random.Random(1)).head.game.version > version

    def test_nobody_returns_before_the_start(self) -> None:
        creator = new_player()
        game_id = open_table([creator], seats=2)
        with refused("game.not_started"):
            game_return(game_id=game_id, player_id=creator.id)

    def test_the_seat_of_a_bot_is_nobodys(self) -> None:
        creator = new_player()
        game_id = open_table([creator], seats=2, bots=("greedy",))
        with refused("game.not_joined"):
            game_return(game_id=game_id, player_id=player_at(game_id, 1))


class TestResigning:
    """`game_resign`"""

    @pytest.mark.parametrize("waits", [False, True])
    def test_x02_of_two_the_other_wins_whoever_is_to_act(self, waits: bool) -> None:
        game_id = open_table(new_players(2), rated=True)
        seat = abs(head_of(game_id).game.to_act[0] - waits)
        game_resign(game_id=game_id, player_id=player_at(game_id, seat))
        result = head_of(game_id).game.result
        assert result is not None
        assert (result.durak, result.winner, result.reason) == (seat, 1 - seat, "resigned")
        assert types_of(game_id)[-2:] == ["seat_resigned", "game_finished"]
        row = Game.objects.get(id=game_id)
        assert (row.status, row.finished_at) == ("finished", log.events(game_id)[-1].at)
        places = GameResult.objects.filter(game=game_id).order_by("seat")
        lost, won = (2, True), (1, False)
        expected = [lost, won] if seat == 0 else [won, lost]
        assert list(places.values_list("place", "is_durak")) == expected

    def test_of_more_a_bot_plays_on_and_the_seat_is_durak(self) -> None:
        players = new_players(3)
        game_id = open_table(players)
        game_resign(game_id=game_id, player_id=players[1].id)
        assert brains(game_id) == [None, SUBSTITUTE, None]
        assert types_of(game_id)[-2:] == ["seat_resigned", "seat_replaced"]
        for what in ("resign", "return"):
            with refused("game.over"):
                call(what, game_id, players[1].id)
        play_out(game_id, random.Random(2))
        duraks = GameResult.objects.filter(game=game_id, is_durak=True)
        assert 1 in duraks.values_list("seat", flat=True)

    def test_who_left_may_resign(self) -> None:
        players = new_players(3)
        game_id = open_table(players)
        game_leave(game_id=game_id, player_id=players[1].id)
        game_resign(game_id=game_id, player_id=players[1].id)
        assert types_of(game_id)[-2:] == ["seat_replaced", "seat_resigned"]

    def test_who_went_out_has_nothing_to_resign(self) -> None:
        game_id = open_table(new_players(6))
        rng = random.Random(3)
        while not (out := out_of(game_id)):
            play_one(game_id, rng)
        version, player = head_of(game_id).game.version, player_at(game_id, out[0])
        with refused("game.over"):
            game_resign(game_id=game_id, player_id=player)
        game_leave(game_id=game_id, player_id=player)
        assert head_of(game_id).game.version == version

    def test_nobody_resigns_before_the_start(self) -> None:
        creator = new_player()
        game_id = open_table([creator], seats=2)
        with refused("game.not_started"):
            game_resign(game_id=game_id, player_id=creator.id)


@pytest.mark.parametrize("what", ANYBODY)
def test_nothing_happens_in_a_game_that_is_not_there(what: str) -> None:
    player = new_player()
    with refused("game.not_found"):
        call(what, player.id, player.id)


@pytest.mark.parametrize("what", ANYBODY)
def test_to_a_stranger_a_private_game_is_not_there(what: str) -> None:
    for table in ({"seats": 3}, {"seats": 2, "bots": ("greedy",)}):
        game_id = open_table([new_player()], visibility="private", **table)
        with refused("game.not_found"):
            call(what, game_id, new_player().id)


@pytest.mark.parametrize("what", ["leave", "return", "resign"])
def test_a_stranger_has_no_seat(what: str) -> None:
    with refused("game.not_joined"):
        call(what, open_table(new_players(2)), new_player().id)


@pytest.mark.parametrize("what", ["leave", "return", "resign", "start", "bots"])
def test_a_finished_game_is_over(what: str) -> None:
    game_id, creator = finished_game()
    with refused("game.over"):
        call(what, game_id, creator)


def test_nobody_joins_a_finished_game() -> None:
    game_id, _ = finished_game()
    with refused("game.over"):
        join(game_id)
