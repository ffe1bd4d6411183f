"""A referee's verdict: what it ends, what it takes back, and who can see it."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any
from uuid import UUID, uuid4

import msgspec
import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.utils import timezone

from games.models import (
    DueTurn,
    GameFinish,
    GameResult,
    Ladder,
    Meeting,
    Player,
    Rating,
    RatingChange,
)
from games.projections.ratings import ratings_apply_pending
from games.projections.rebuild import ratings_rebuild, results_rebuild
from games.selectors.game_replay import game_record, game_replay
from games.selectors.game_show import event_list, game_view
from games.selectors.match_show import match_show
from games.selectors.replay_check import export_ruling
from games.selectors.result_list import result_list
from games.services.errors import MoveRefused, ServiceError
from games.services.game_create import Table, game_create
from games.services.game_rematch import game_rematch
from games.services.game_seats import game_join, game_resign
from games.services.game_void import game_void
from games.services.move_play import move_play
from games.store import log
from tests.projections.test_rebuild import TABLES
from tests.projections.test_rebuild import rows as stored
from tests.rules import client
from tests.scores import new_player, new_players
from tests.threads import Beside

pytestmark = pytest.mark.django_db(transaction=True)


def rows() -> list[list[dict[str, Any]]]:
    """All that is stored of scores, without the time of rating."""
    return stored(*TABLES, without={"rated_at"})


def table(people: Sequence[Player], ruleset: str = "throw_in", **more: Any) -> UUID:
    """A rated game of these players, dealt."""
    terms = Table(ruleset, len(people), rated=True, **more)
    head = game_create(creator=people[0].id, kind="human", table=terms).head
    for player in people[1:]:
        game_join(game_id=head.id, player_id=player.id, kind="human", invite=head.invite)
    return head.id


def ended(people: Sequence[Player], loser: Player, ruleset: str = "throw_in") -> UUID:
    """A rated game of two that one gave up."""
    game_id = table(people, ruleset)
    game_resign(game_id=game_id, player_id=loser.id)
    return game_id


# When the second season begins.
TURN = datetime.max.replace(tzinfo=UTC)


def season_by_turn(at: datetime) -> str:
    """One of two seasons."""
    return "1" if at < TURN else "2"


def season_of_games() -> tuple[list[Player], list[UUID]]:
    """Nine games of three people on two ladders."""
    ann, bob, eve = people = new_players(3)
    pairs = [(ann, bob), (bob, eve), (eve, ann)] * 3
    games = [
        ended(pair, pair[number % 2], "transfer" if number % 4 == 3 else "throw_in")
        for number, pair in enumerate(pairs)
    ]
    return people, games


class TestFinished:
    """A game that had counted."""

    @pytest.mark.parametrize("number", [0, 4, 7, 8])
    def test_ladders_are_what_they_would_be_and_what_a_rebuild_makes(self, number: int) -> None:
        _, games = season_of_games()
        game_void(game_id=games[number], reason="two accounts of one player", by="judge")
        assert not GameFinish.objects.filter(rated_at=None).exists()
        assert not RatingChange.objects.filter(game_id=games[number]).exists()
        assert RatingChange.objects.count() == 4 * 8
        live = rows()
        ratings_rebuild(lambda _done, _total: None)
        assert rows() == live
        for kept in (Rating, RatingChange, Ladder, Meeting):
            kept._default_manager.all().delete()
        results_rebuild(lambda _done, _total: None)
        ratings_rebuild(lambda _done, _total: None)
        assert rows() == live

    def test_a_player_without_other_games_stands_nowhere(self) -> None:
        ann, bob = new_players(2)
        game_void(game_id=ended([ann, bob], bob), reason="a test")
        assert not Rating.objects.exists()
        third = ended([ann, bob], ann)
        assert GameFinish.objects.get(pk=third).overall_seq == 2
        live = rows()
        ratings_rebuild(lambda _done, _total: None)
        assert rows() == live

    def test_the_result_says_so_and_keeps_its_places(self) -> None:
        ann, bob = new_players(2)
        game = ended([ann, bob], bob)
        game_void(game_id=game, reason="a test")
        ((row,), _) = result_list(player_id=bob.id, limit=5)
        assert (row.place, row.durak, row.not_rated, row.weight) == (2, True, "voided", 0.0)
        assert (row.rating_before, row.rating_after) == (None, None)

    def test_a_crash_before_the_ladders_follow_is_made_good(self, monkeypatch: Any) -> None:
        _, games = season_of_games()
        monkeypatch.setattr("games.services.game_advance.ratings_apply", lambda _game: False)
        game_void(game_id=games[2], reason="a test")
        assert RatingChange.objects.filter(game_id=games[2]).exists()
        GameFinish.objects.update(finished_at=timezone.now() - timedelta(minutes=1))
        assert ratings_apply_pending() == 0
        assert ratings_apply_pending(voided=True) == 1
        assert not RatingChange.objects.filter(game_id=games[2]).exists()

    def test_while_others_hold_the_ladders_nobody_waits_for_them(self, monkeypatch: Any) -> None:
        """A rebuild may hold them for an hour."""
        monkeypatch.setattr("games.projections.ratings.PENDING_AFTER", timedelta(0))
        _, games = season_of_games()
        with transaction.atomic():
            list(Ladder.objects.select_for_update())
            Beside(lambda: game_void(game_id=games[2], reason="a test")).end()
            assert RatingChange.objects.filter(game_id=games[2]).exists()
        assert ratings_apply_pending(voided=True) == 1
        assert not RatingChange.objects.filter(game_id=games[2]).exists()

    def test_a_game_without_its_numbers_gets_none(self, monkeypatch: Any) -> None:
        monkeypatch.setattr("games.services.game_advance.ratings_apply", lambda _game: False)
        people = new_players(2)
        game_void(game_id=ended(people, people[0]), reason="a test")
        assert not GameFinish.objects.exists()

    def test_a_season_that_is_over_stays(self, monkeypatch: Any, settings: Any) -> None:
        settings.SEASON_OF = f"{__name__}.season_by_turn"
        people = new_players(2)
        game = ended(people, people[0])
        before = rows()
        monkeypatch.setattr(f"{__name__}.TURN", timezone.now())
        game_void(game_id=game, reason="found out late")
        assert rows() == before
        results_rebuild(lambda _done, _total: None)
        ratings_rebuild(lambda _done, _total: None)
        assert rows() == before

    def test_in_a_new_season_everybody_goes_on_from_the_old_one(
        self, monkeypatch: Any, settings: Any
    ) -> None:
        settings.SEASON_OF = f"{__name__}.season_by_turn"
        (ann, bob, eve), _ = season_of_games()
        monkeypatch.setattr(f"{__name__}.TURN", timezone.now())
        games = [ended(pair, pair[0]) for pair in ((ann, bob), (bob, eve), (eve, ann))]
        started = {
            (change.ladder, change.player_id): change.mu_before
            for change in RatingChange.objects.filter(game_id=games[1])
        }
        game_void(game_id=games[0], reason="a test")
        assert Rating.objects.filter(season="2", ladder="overall").count() == 3
        went_on = RatingChange.objects.filter(game_id=games[1], player_id=eve.id)
        for change in went_on:
            assert change.mu_before == started[change.ladder, eve.id]
        assert len(went_on) == 2
        live = rows()
        ratings_rebuild(lambda _done, _total: None)
        assert rows() == live

    def test_again_changes_nothing(self) -> None:
        people = new_players(2)
        game = ended(people, people[0])
        first = game_void(game_id=game, reason="a test")
        assert game_void(game_id=game, reason="another").added == ()
        assert log.load(game).game == first.head.game

    def test_its_match_goes_on(self) -> None:
        ann, bob = new_players(2)
        game = ended([ann, bob], bob)
        game_void(game_id=game, reason="a test")
        match = match_show(UUID(log.load(game).game.match), ann.id, limit=5)
        assert [one.result.durak for one in match["games"]] == [1]
        game_rematch(game_id=game, player_id=ann.id, kind="human")
        second = game_rematch(game_id=game, player_id=bob.id, kind="human").head
        game_resign(game_id=second.id, player_id=ann.id)
        verified(game, second.id)


class TestRunning:
    """A game whose cards lie on the table."""

    def test_it_ends_without_a_result_and_nobody_owes_a_move(self) -> None:
        ann = new_player()
        game = self.with_a_bot(ann)
        game_void(game_id=game, reason="a broken table", by="judge")
        head = log.load(game)
        assert (head.game.status, head.game.to_act, head.game.is_void) == ("finished", (), True)
        assert head.game.result.reason == "voided"
        assert not DueTurn.objects.exists()
        assert not GameResult.objects.exists()
        assert not GameFinish.objects.exists()

    def test_nobody_moves_or_resigns_any_more(self) -> None:
        people = new_players(2)
        game = table(people)
        game_void(game_id=game, reason="a test")
        with pytest.raises(MoveRefused) as refused:
            move_play(game_id=game, player_id=people[0].id, body={"type": "take"})
        assert refused.value.code == "game.over"
        with pytest.raises(ServiceError, match=r"game\.over"):
            game_resign(game_id=game, player_id=people[0].id)
        with pytest.raises(ServiceError, match=r"match\.over"):
            game_rematch(game_id=game, player_id=people[0].id, kind="human")

    def test_a_rebuild_makes_no_results_of_it(self) -> None:
        game_void(game_id=table(new_players(2)), reason="a test")
        results_rebuild(lambda _done, _total: None)
        assert not GameResult.objects.exists()

    def with_a_bot(self, ann: Player) -> UUID:
        """A game of a person against the house."""
        terms = Table("throw_in", 2, bots=("greedy",), rated=True)
        return game_create(creator=ann.id, kind="human", table=terms).head.id


def test_what_was_never_dealt_is_not_voided() -> None:
    ann = new_player()
    game = game_create(creator=ann.id, kind="human", table=Table("throw_in", 2)).head.id
    with pytest.raises(ServiceError, match=r"game\.not_started"):
        game_void(game_id=game, reason="a test")
    with pytest.raises(ServiceError, match=r"game\.not_found"):
        game_void(game_id=uuid4(), reason="a test")


@pytest.mark.parametrize(
    ("reason", "by"), [("", ""), ("  ", ""), ("x" * 201, ""), ("x", "y" * 201)]
)
def test_a_verdict_has_its_reason(reason: str, by: str) -> None:
    with pytest.raises(ServiceError, match=r"request\.invalid"):
        game_void(game_id=uuid4(), reason=reason, by=by)


@pytest.mark.parametrize("finish", [True, False])
def test_views_replays_and_checks_know_it(finish: bool) -> None:
    people = new_players(2)
    game = ended(people, people[0]) if finish else table(people)
    before = log.load(game)
    done = game_void(game_id=game, reason="a test", by="judge")
    for viewer in (None, 0, 1):
        view = as_json(game_view(before, viewer, done.at))
        for event in as_json(event_list(before.game, done.added, viewer)):
            view = client.fold(view, event)
        after = as_json(game_view(done.head, viewer, done.at))
        assert view == after
        assert (after["status"], after["voided"]) == ("finished", "a test")
    replay = json.loads(msgspec.json.encode(game_replay(done.head)))
    assert replay["events"][-1]["data"]["by"] == "judge"
    ruling = export_ruling(replay)
    assert ruling.fault is None
    assert game_record(done.head)
    verified(game)


def as_json(value: Any) -> Any:
    """What a client is sent."""
    return json.loads(msgspec.json.encode(value))


def verified(*games: UUID) -> None:
    """`verify_log` finds nothing."""
    out = StringIO()
    call_command("verify_log", "--anchors", "", stdout=out, stderr=StringIO())
    assert ", 0 at fault" in out.getvalue()
    assert out.getvalue().startswith(f"{len(games)} games")


class TestCommand:
    """`manage.py void_game`."""

    def test_it_says_what_became_of_the_ratings(self) -> None:
        people = new_players(2)
        game = ended(people, people[0])
        assert self.run(game) == f"{game} is voided, ratings followed\n"
        assert self.run(game) == f"{game} was voided already\n"
        assert self.run(table(people)).endswith("no ladder had counted it\n")

    def test_what_is_not_there_is_said_so(self) -> None:
        with pytest.raises(CommandError, match="no such game"):
            self.run(uuid4())

    def run(self, game: UUID) -> str:
        """What it prints."""
        out = StringIO()
        call_command("void_game", str(game), "--reason", "a test", "--by", "judge", stdout=out)
        return out.getvalue()


def test_a_game_that_somebody_works_on_is_tried_again() -> None:
    people = new_players(2)
    game = ended(people, people[0])
    with transaction.atomic():
        log.lock(game)
        beside = Beside(lambda: call_command("void_game", game, reason="a test"))
        beside.wait_for_lock()
        with pytest.raises(CommandError, match="try again"):
            beside.end()
    assert log.load(game).game.voided is None
