"""Moves: judged on the locked head, stored whole or not at all."""

import random
from typing import Any
from uuid import UUID

import pytest
from django.db import transaction

from games.models import DueTurn, GameEvent
from games.models.results import GameResult
from games.rules.cards import to_cards
from games.rules.errors import MalformedMove
from games.rules.state import State
from games.services.errors import MoveRefused
from games.services.game_seats import game_leave, game_resign
from games.services.move_play import bot_move_play, move_play
from tests.scores import new_player, new_players
from tests.tables import head_of, move_for, open_table, play_one, play_out, player_at, refused

pytestmark = pytest.mark.django_db


def play(game_id: UUID, player_id: UUID, body: Any, version: int | None = None) -> int:
    """The version after a move."""
    outcome = move_play(game_id=game_id, player_id=player_id, body=body, expected_version=version)
    return outcome.head.game.version


def turn(game_id: UUID) -> tuple[UUID, UUID, dict[str, Any]]:
    """Who is to act, who is not, and a legal move."""
    game = head_of(game_id).game
    seat, body = move_for(game, random.Random(1))
    return player_at(game_id, seat), player_at(game_id, 1 - seat), body


@pytest.fixture
def game_id() -> UUID:
    """A game of two that has just begun."""
    return open_table(new_players(2))


@pytest.fixture(autouse=True)
def nothing_else_is_stored() -> Any:
    """Whatever a test does, the log and the row agree."""
    yield
    for game_id, version in GameEvent.objects.values_list("game", "game__version"):
        seqs = GameEvent.objects.filter(game=game_id).order_by("seq").values_list("seq", flat=True)
        assert list(seqs) == list(range(1, version + 1))


def test_a_move_is_stored_and_judged_on(game_id: UUID) -> None:
    player, _, body = turn(game_id)
    version = head_of(game_id).game.version
    assert play(game_id, player, body, version) == version + 1
    assert head_of(game_id).game.version == version + 1
    state = head_of(game_id).game.state
    assert state is not None
    assert state.phase == "defend"


def test_a_stale_version_is_told_the_current_one(game_id: UUID) -> None:
    player, _, body = turn(game_id)
    version = head_of(game_id).game.version
    for wrong in (1, version - 1, version + 1, 10**30):
        with refused("move.stale_version", version=version):
            play(game_id, player, body, wrong)


def test_x05_where_several_may_act_at_once_a_move_for_the_position_before_is_stale() -> None:
    game_id = open_table(new_players(3), options={"throw_in_timing": "anytime"})
    player, _, body = turn(game_id)
    play(game_id, player, body)
    head = head_of(game_id)
    assert len(head.game.to_act) == 3
    state = head.game.state
    assert isinstance(state, State)
    third = 3 - (state.attacker or 0) - (state.defender or 0)
    play(game_id, player_at(game_id, third), {"type": "pass"}, head.game.version)
    before = head_of(game_id).game
    with refused("move.stale_version", version=before.version):
        play(game_id, player, {"type": "pass"}, head.game.version)
    assert head_of(game_id).game == before
    assert play(game_id, player, {"type": "pass"}, before.version) > before.version


def test_the_rules_refuse_with_their_version(game_id: UUID) -> None:
    _, other, body = turn(game_id)
    version = head_of(game_id).game.version
    with pytest.raises(MoveRefused) as caught, transaction.atomic():
        play(game_id, other, body)
    assert (caught.value.code, caught.value.members) == (
        "move.not_your_turn",
        {"version": version},
    )
    assert (caught.value.family, caught.value.rules.deck_size) == ("bout", 36)
    assert (caught.value.move, caught.value.caught) == (body["type"], False)


def test_a_seat_that_was_caught_is_refused_as_such() -> None:
    game_id = open_table(new_players(3), options={"enforcement": "catchable"})
    state = head_of(game_id).game.state
    assert isinstance(state, State)
    leader, taker = (player_at(game_id, seat or 0) for seat in (state.attacker, state.defender))
    lead, *others = to_cards(state.hands[state.attacker or 0])
    wrong, other = [card for card in others if card[0] != lead[0]][:2]
    play(game_id, leader, {"type": "attack", "card": lead})
    play(game_id, taker, {"type": "take"})
    play(game_id, leader, {"type": "throw_in", "card": wrong})
    play(game_id, taker, {"type": "call", "card": wrong})
    with pytest.raises(MoveRefused) as refusal, transaction.atomic():
        play(game_id, leader, {"type": "throw_in", "card": other})
    assert refusal.value.code == "move.not_allowed_to_throw"
    assert (refusal.value.move, refusal.value.caught) == ("throw_in", True)


def test_a_move_that_cannot_be_read(game_id: UUID) -> None:
    player, _, _ = turn(game_id)
    with pytest.raises(MalformedMove), transaction.atomic():
        play(game_id, player, {"type": "attack", "cards": ["1S"]})


def test_before_the_start_nobody_plays() -> None:
    creator = new_player()
    game_id = open_table([creator], seats=2)
    with refused("game.not_started"):
        play(game_id, creator.id, {"type": "pass"}, 2)


def test_after_the_end_nobody_plays(game_id: UUID) -> None:
    player, other, body = turn(game_id)
    game_resign(game_id=game_id, player_id=other)
    with refused("game.over"):
        play(game_id, player, body)


def test_only_who_sits_there_plays(game_id: UUID) -> None:
    _, _, body = turn(game_id)
    stranger = new_player().id
    with refused("game.not_joined"):
        play(game_id, stranger, body)
    with refused("game.not_found"):
        play(open_table([new_player()], seats=2, visibility="private"), stranger, body)
    with refused("game.not_found"):
        play(stranger, stranger, body)


def test_who_left_does_not_play_but_his_bot_does(game_id: UUID) -> None:
    player, _, body = turn(game_id)
    game_leave(game_id=game_id, player_id=player)
    version = head_of(game_id).game.version
    with refused("move.not_your_turn", version=version):
        play(game_id, player, body)
    seat = head_of(game_id).game.to_act[0]
    bot_move_play(game_id=game_id, seat=seat, body=body, expected_version=version)
    assert head_of(game_id).game.version == version + 1


def test_a_bot_plays_no_seat_of_a_person(game_id: UUID) -> None:
    game = head_of(game_id).game
    seat, body = move_for(game, random.Random(1))
    with refused("game.not_joined"):
        bot_move_play(game_id=game_id, seat=seat, body=body, expected_version=game.version)


def test_a_bots_turn_is_owed_from_the_move_before_it() -> None:
    game_id = open_table([new_player()], seats=2, bots=("greedy",))
    rng = random.Random(4)
    for _ in range(30):
        game = head_of(game_id).game
        due = DueTurn.objects.filter(game=game_id).values_list("version", "attempts")
        assert list(due) == ([(game.version, 0)] if game.to_act == (1,) else [])
        if play_one(game_id, rng).head.game.status == "finished":
            break


def test_the_end_leaves_results_and_owes_nothing() -> None:
    game_id = open_table([new_player()], seats=3, bots=("greedy", "random"), rated=True)
    ended = play_out(game_id, random.Random(5))[-1]
    result = ended.head.game.result
    assert result is not None
    assert not DueTurn.objects.exists()
    places = dict(GameResult.objects.filter(game=game_id).values_list("seat", "place"))
    firsts = {seat for seat, place in places.items() if place == 1}
    assert (len(places), firsts) == (3, set(result.places[0]))
