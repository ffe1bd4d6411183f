"""Analyses as jobs: one for a game, kept decision by decision, after turns, found when lost."""

import random
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from bots.analysis import dispatch, work
from bots.analysis.dispatch import analyses_sweep, analysis_begin
from bots.analysis.jobs import analysis_ask, analysis_claim, analysis_get, analysis_report
from bots.analysis.turns import Eyes, Turn
from bots.analysis.work import analysis_go_on, analysis_of
from bots.models import Analysis
from bots.queues import deep_turns_wait
from bots.tasks import go_on_analysing, sweep_analyses
from games.models import DueTurn
from games.services.player_register import player_register
from games.store import log
from tests.exports import resigned
from tests.tables import refused
from tests.threads import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("hasty")]
Sent = list[tuple[UUID, datetime | None]]


@pytest.fixture(autouse=True)
def sent(monkeypatch: pytest.MonkeyPatch) -> Sent:
    """What would go to the broker."""
    messages: Sent = []

    def send(game_id: UUID, lease: datetime | None = None) -> None:
        messages.append((game_id, lease))

    for module in (dispatch, work):
        monkeypatch.setattr(module, "analysis_send", send)
    return messages


@pytest.fixture
def game(transactional_db: None) -> UUID:
    """A finished game."""
    return resigned(random.Random(5), ruleset="throw_in", seats=2)


@pytest.fixture
def ann(transactional_db: None) -> UUID:
    """Somebody who asks."""
    return player_register(name="curious").player.id


def stored(game_id: UUID) -> Analysis:
    found = analysis_get(game_id)
    assert found is not None
    return found


def idle(game_id: UUID, seconds: float = 5) -> None:
    """Let so much time go by without anybody at work."""
    moment = timezone.now() - timedelta(seconds=seconds)
    Analysis.objects.filter(game_id=game_id).update(moved_at=moment, lease_until=moment)


def one_decision_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "CHUNK_SECONDS", 0.0)


def test_it_is_the_analysis_of_the_events(game: UUID, ann: UUID, sent: Sent) -> None:
    assert analysis_begin(game_id=game, player_id=ann).status == Analysis.Status.WAITING
    while stored(game).status != Analysis.Status.DONE:
        assert sent.pop() == (game, None)
        go_on_analysing(str(game))
    assert sent == []
    done = stored(game)
    assert done.done == done.of > 10
    assert (bytes(done.parts), done.lease_until) == (b"", None)
    events = [stored.event for stored in log.events(game)]
    assert analysis_report(done) == analysis_of(events)
    assert analysis_begin(game_id=game, player_id=ann).status == Analysis.Status.DONE
    assert sent == []


def test_of_many_who_ask_at_once_one_has_it_begun(game: UUID, ann: UUID, sent: Sent) -> None:
    bob = player_register(name="bob").player.id
    asking = [partial(analysis_begin, game_id=game, player_id=who) for who in (ann, bob) * 3]
    answers = at_once(asking)
    assert {answer.game_id for answer in answers} == {game}
    assert len(sent) == Analysis.objects.count() == 1


def test_a_killed_worker_loses_one_decision_at_most(
    game: UUID, ann: UUID, sent: Sent, monkeypatch: pytest.MonkeyPatch
) -> None:
    one_decision_each(monkeypatch)
    analysis_begin(game_id=game, player_id=ann)
    for _ in range(3):
        analysis_go_on(game_id=game)
    assert stored(game).done == 3
    sent.clear()
    # Somebody takes it up and is never heard of again.
    assert analysis_claim(game_id=game, lease=None) is not None
    analysis_go_on(game_id=game)
    assert (stored(game).done, sent, analyses_sweep()) == (3, [], 0)
    idle(game)
    assert (analyses_sweep(), sweep_analyses()) == (1, 0)
    ((found, lease),) = sent
    assert lease is not None
    go_on_analysing(str(found), lease.isoformat())
    assert stored(game).done == 4


def test_two_workers_at_once_keep_each_decision_once(
    game: UUID, ann: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    analysis_begin(game_id=game, player_id=ann)
    judge, others = work.decision_judge, 0

    def interrupted(turn: Turn, eyes: Eyes) -> object:
        nonlocal others
        if turn.number == 4 and not others:
            others = 1
            idle(game)
            analysis_go_on(game_id=game)
        return judge(turn, eyes)

    monkeypatch.setattr(work, "decision_judge", interrupted)
    analysis_go_on(game_id=game)
    assert others == 1
    while stored(game).status != Analysis.Status.DONE:
        analysis_go_on(game_id=game)
    report = analysis_report(stored(game))
    assert report is not None
    assert [one.number for one in report.decisions] == list(range(1, len(report.decisions) + 1))


def test_turns_of_bots_come_first(
    game: UUID, ann: UUID, sent: Sent, bots_game: Callable[..., UUID], unsent: None
) -> None:
    analysis_begin(game_id=game, player_id=ann)
    bots_game("greedy", "greedy")
    assert not deep_turns_wait()
    bots_game("ismcts", "ismcts")
    assert deep_turns_wait()
    sent.clear()
    analysis_go_on(game_id=game)
    waiting = stored(game)
    assert (waiting.done, waiting.attempts, sent) == (0, 0, [])
    idle(game, 40)
    analysis_go_on(game_id=game)
    assert stored(game).done == 1, "one that waited long has its turn, for one decision"
    DueTurn.objects.update(lease_until=timezone.now() + timedelta(seconds=60))
    assert not deep_turns_wait()


def test_what_fails_again_and_again_is_given_up_and_may_be_asked_for_anew(
    game: UUID, ann: UUID, sent: Sent, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ArithmeticError

    analysis_begin(game_id=game, player_id=ann)
    monkeypatch.setattr(work, "decision_judge", broken)
    for _ in range(work.ATTEMPTS):
        with pytest.raises(ArithmeticError):
            analysis_go_on(game_id=game)
        idle(game)
    analysis_go_on(game_id=game)
    assert stored(game).status == Analysis.Status.FAILED
    sent.clear()
    assert analysis_begin(game_id=game, player_id=ann).status == Analysis.Status.WAITING
    assert (sent, stored(game).attempts) == ([(game, None)], 0)


def test_no_more_than_so_many_wait(game: UUID, ann: UUID, settings: Settings) -> None:
    other = resigned(random.Random(6), ruleset="mau_mau", seats=2)
    bob = player_register(name="bob").player.id
    settings.ANALYSES_PER_PLAYER = 1
    analysis_ask(game_id=game, player_id=ann)
    with refused("analysis.too_many", limit=1):
        analysis_ask(game_id=other, player_id=ann)
    assert analysis_ask(game_id=game, player_id=ann)[1] is False
    settings.ANALYSES_WAITING = 1
    with refused("analysis.queue_full"):
        analysis_ask(game_id=other, player_id=bob)
    Analysis.objects.update(status=Analysis.Status.DONE)
    assert analysis_ask(game_id=other, player_id=ann)[1] is True


def test_what_is_not_done_is_counted(
    game: UUID, ann: UUID, client: Client, fresh_pages: None
) -> None:
    analysis_begin(game_id=game, player_id=ann)
    assert "\ndurak_analyses_waiting 1.0\n" in client.get("/metrics").content.decode()


def test_a_game_of_another_family(ann: UUID) -> None:
    game = resigned(random.Random(2), ruleset="mau_mau", seats=2)
    analysis_begin(game_id=game, player_id=ann)
    while stored(game).status != Analysis.Status.DONE:
        analysis_go_on(game_id=game)
    report = analysis_report(stored(game))
    assert report is not None
    assert (report.search, len(report.seats)) == ("roll_outs", 2)
