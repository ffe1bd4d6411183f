"""Who is told what of a game: written with the move, never instead of it."""

import random
from uuid import UUID

import pytest
from django.db import transaction

from games.models import Notice
from games.rules.game import fold
from games.services.game_create import Table, game_create
from games.services.game_rematch import game_rematch
from games.services.game_seats import game_leave, game_resign, game_return
from games.services.inbox_number import inbox_number
from games.store import log
from games.store.notices import notices_of
from tests.scores import new_player, new_players
from tests.tables import head_of, open_table, play_one, play_out
from tests.threads import at_once

pytestmark = pytest.mark.django_db
KIND = Notice.Kind


def told(game_id: UUID) -> list[tuple[int, int, str]]:
    """Version, seat and kind of every notice of a game."""
    rows = Notice.objects.filter(game_id=game_id).order_by("version", "kind", "seat")
    return [(row.version, row.seat, row.get_kind_display()) for row in rows]


def test_a_deal_tells_everybody_and_whoever_begins() -> None:
    game_id = open_table(new_players(3))
    game = head_of(game_id).game
    assert told(game_id) == [
        *((game.version, seat, "game_started") for seat in range(3)),
        *((game.version, seat, "your_turn") for seat in game.to_act),
    ]


def test_nobody_is_told_before_the_deal() -> None:
    assert told(open_table([new_player()], seats=3)) == []


def test_every_turn_of_a_game_is_told_and_its_end() -> None:
    game_id = open_table(new_players(2))
    outcomes = play_out(game_id, random.Random(3))
    turns = {(version, seat) for version, seat, kind in told(game_id) if kind == "your_turn"}
    owed = {
        (outcome.head.game.version, seat)
        for outcome in outcomes
        for seat in outcome.head.game.to_act
        if outcome.head.game.result is None
    }
    assert owed <= turns
    last = head_of(game_id).game.version
    assert told(game_id)[-2:] == [(last, 0, "game_finished"), (last, 1, "game_finished")]


def test_who_waits_already_is_not_told_again() -> None:
    game_id = open_table(new_players(4))
    rng = random.Random(5)
    for _ in range(40):
        before = head_of(game_id).game
        if before.result is not None:
            break
        outcome = play_one(game_id, rng)
        acted = {getattr(item.event, "seat", None) for item in outcome.added}
        version = outcome.head.game.version
        named = {seat for at, seat, kind in told(game_id) if (at, kind) == (version, "your_turn")}
        assert named == set(outcome.head.game.to_act) - (set(before.to_act) - acted)


def test_bots_of_the_house_are_told_nothing() -> None:
    ann = new_player()
    table = Table(ruleset="throw_in", seats=2, bots=("greedy",))
    game_id = game_create(creator=ann.id, kind="human", table=table).head.id
    for _ in range(10):
        play_one(game_id, random.Random(1))
    assert {seat for _, seat, _ in told(game_id)} == {0}


def test_a_seat_that_a_bot_plays_is_told_of_no_turn_until_its_player_returns() -> None:
    ann, bob = new_players(2)
    game_id = open_table([ann, bob])
    seat = head_of(game_id).game.to_act[0]
    player = (ann, bob)[seat]
    left = game_leave(game_id=game_id, player_id=player.id).head.game.version
    assert [each for each in told(game_id) if each[0] == left] == []
    back = game_return(game_id=game_id, player_id=player.id).head.game.version
    assert (back, seat, "your_turn") in told(game_id)


def test_a_rematch_is_offered_to_those_whose_seats_are_kept() -> None:
    ann, bob = new_players(2)
    game_id = open_table([ann, bob])
    game_resign(game_id=game_id, player_id=ann.id)
    offered = game_rematch(game_id=game_id, player_id=bob.id, kind="human").head
    assert told(offered.id) == [(offered.game.version, 0, "rematch_offered")]
    row = Notice.objects.get(game_id=offered.id)
    assert (row.player_id, row.deadline) == (ann.id, offered.game.reserved_until)


def test_what_is_rolled_back_was_told_to_nobody() -> None:
    game_id = open_table(new_players(2))
    before = told(game_id)
    with transaction.atomic():
        play_one(game_id, random.Random(1))
        transaction.set_rollback(True)
    assert told(game_id) == before


def test_notices_follow_from_the_log() -> None:
    """What was written with each move is what the log, folded again, would tell."""
    game_id = open_table(new_players(3))
    outcomes = play_out(game_id, random.Random(8))
    expected = []
    starts = [outcome.added[0].seq for outcome in outcomes]
    stored = log.events(game_id)
    first = [item.event for item in stored if item.seq < starts[0]]
    # Two joined one after the other before the deal.
    game = fold(None, tuple(first))
    begun = len(told_until(game_id, game.version))
    for outcome in outcomes:
        added = tuple(item.event for item in outcome.added)
        after = fold(game, added)
        expected += [
            (after.version, each.seat, KIND(each.kind).label)
            for each in notices_of(game, after, added)
        ]
        game = after
    assert sorted(expected) == sorted(told(game_id)[begun:])


def told_until(game_id: UUID, version: int) -> list[tuple[int, int, str]]:
    """The notices up to a version."""
    return [each for each in told(game_id) if each[0] <= version]


@pytest.mark.django_db(transaction=True)
def test_numbers_have_no_gap_however_many_read_at_once() -> None:
    ann, bob = new_players(2)
    for _ in range(4):
        play_out(open_table([ann, bob]), random.Random(2))
    at_once([lambda: inbox_number(player_id=ann.id)] * 4)
    rows = Notice.objects.filter(player_id=ann.id).order_by("position")
    assert [row.position for row in rows] == list(range(1, len(rows) + 1))
    for game_id in {row.game_id for row in rows}:
        versions = [row.version for row in rows if row.game_id == game_id]
        assert versions == sorted(versions)
