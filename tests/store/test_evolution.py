"""A log of an older release is read, verified, served, exported, as docs/events.md promises."""

import io
import random
from typing import Any

import msgspec
import pytest
from django.core.management import call_command
from django.db import connection

from games.models import Game, GameEvent
from games.selectors.replay_check import export_ruling
from games.store import codec, log
from games.store.chain import GENESIS, Chain, content
from games.store.codec import canonical
from tests.api.conftest import Api
from tests.exports import exported, played_out

pytestmark = pytest.mark.django_db
KIND = "card_beaten"


def older(facts: dict[str, Any]) -> dict[str, Any]:
    """The facts as version 1 might have told them: under other names."""
    names = {"card": "with", "seat": "by"}
    return {names.get(name, name): value for name, value in facts.items()}


def upcast(facts: dict[str, Any]) -> dict[str, Any]:
    """The step from there to today's facts."""
    names = {"with": "card", "by": "seat"}
    return {names.get(name, name): value for name, value in facts.items()}


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch) -> Game:
    """A finished game whose beats were written by that release."""
    row = Game.objects.get(id=played_out(random.Random(1), ruleset="throw_in", seats=2))
    chain, previous = Chain(str(row.id), bytes(row.chain_secret)), GENESIS
    with connection.cursor() as cursor:
        for event in GameEvent.objects.filter(game=row).order_by("seq"):
            facts = canonical(older(event.data) if event.type == KIND else event.data)
            previous = chain.link(event.seq, previous, content(event.type, 1, event.at, facts))
            cursor.execute(
                "UPDATE games_gameevent SET data = %s::jsonb, hash = %s WHERE id = %s",
                [facts.decode(), previous, event.pk],
            )
        cursor.execute("UPDATE games_game SET head_hash = %s WHERE id = %s", [previous, row.id])
    monkeypatch.setitem(codec.VERSIONS, KIND, 2)
    monkeypatch.setattr(codec, "UPCASTERS", {(KIND, 1): upcast})
    return row


def test_it_is_read_as_today_and_folds_to_the_same_game(game: Game) -> None:
    snapshot = log.load(game.id)
    assert snapshot is not None
    assert log.replay(game.id) == snapshot.game


def test_the_log_is_verified_as_it_was_written(game: Game, settings: Any) -> None:
    settings.ANCHOR_FILE = ""
    output = io.StringIO()
    call_command("verify_log", stdout=output, stderr=io.StringIO())
    assert " 0 at fault" in output.getvalue()


def test_clients_see_the_form_of_today(game: Game) -> None:
    page = Api().get(f"/games/{game.id}/events?limit=1000").json()["events"]
    beats = [event for event in page if event["type"] == KIND]
    assert beats
    assert all({"card", "target"} <= event["data"].keys() for event in beats)
    assert all(event["seat"] is not None for event in beats)


def test_exports_keep_what_was_hashed(game: Game) -> None:
    export = exported(game.id)
    beats = [event for event in export["events"] if event["type"] == KIND]
    assert all("with" in event["stored"]["facts"] for event in beats)
    ruling = export_ruling(export)
    assert ruling.valid, ruling.fault
    assert msgspec.json.encode(ruling)


def test_without_the_step_it_is_unknown(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(codec.VERSIONS, KIND, 1)
    with pytest.raises(codec.UnknownEvent, match=KIND):
        log.events(game.id)
