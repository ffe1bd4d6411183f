"""The fold law: a viewer's view and the events he sees make the view he will see."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import msgspec
import pytest
from hypothesis import example, given
from msgspec.structs import replace

from games.rules import engine
from games.rules import game as games
from games.rules.events import (
    EVENTS,
    Event,
    GameFinished,
    GameVoided,
    Next,
    PlayerJoined,
    PlayerLeft,
    SeatReplaced,
    SeatResigned,
    SeatReturned,
)
from games.rules.game import Game
from games.rules.scoring import resigned_result, void_result
from games.rules.state import FINISHED
from games.rules.views import Sitter, next_for, redact, view_for
from games.selectors.game_show import event_list, game_view
from games.store.log import Head, Stored
from tests.rules import client
from tests.rules.playing import (
    Logged,
    Setting,
    compatible,
    entropy,
    log,
    opening,
    settings,
    shedding_settings,
    some,
)

AT = datetime(2026, 1, 1, tzinfo=UTC)
ID = UUID("0198b3a4-0000-7000-8000-000000000000")


def served(game: Game, viewer: int | None) -> Any:
    """The view as JSON."""
    sitters = tuple(Sitter(f"player-{seat}", "human") for seat in range(len(game.chairs)))
    head = Head(ID, game, b"", b"", "", AT, sitters)
    return as_json(game_view(head, viewer, AT))


def as_json(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def told(entries: list[Logged], before: Game, viewer: int | None) -> Any:
    """The events as JSON, as the viewer gets them."""
    stored = [Stored(entry.game.version, entry.event, AT, b"") for entry in entries]
    return as_json(event_list(before, stored, viewer))


# Two players who shed their last cards in one bout: the places they share are told and shown.
DRAWN = Setting(compatible("throw_in", {"deck_size": 24}), 2, 727, 0.0)


@given(settings() | shedding_settings())
@example(DRAWN)
def test_folding_the_events_gives_the_view_of_every_version(setting: Setting) -> None:
    before = games.fold(None, opening(setting))
    entries = list(log(setting))[before.version :]
    for viewer in (None, setting.seed % setting.seats):
        view = served(before, viewer)
        events = told(entries, before, viewer)
        assert [event["seq"] for event in events] == [entry.game.version for entry in entries]
        looked_at = {entry.game.version for entry in some(entries[:-6], setting)}
        for event, entry in zip(events, entries, strict=True):
            view = client.fold(view, event)
            if entry.game.version in looked_at or entry in entries[-6:]:
                assert view == served(entry.game, viewer)


def test_the_drawn_example_is_a_draw() -> None:
    *_, last = log(DRAWN)
    assert last.game.result is not None
    assert last.game.result.draw


def test_the_client_reads_every_event_that_follows_the_opening_of_a_table() -> None:
    assert client.FOLDS.keys() == EVENTS.keys() - {"game_created"}


def at_the_table(setting: Setting) -> Iterator[Event]:
    """Two players come and one goes, one comes back; then the game is dealt."""
    created, first, second = opening(setting)
    yield from (created, first, second)
    yield PlayerLeft(seat=1, player="1")
    yield PlayerJoined(seat=1, player="1", kind="bot", brain="greedy")
    yield PlayerLeft(seat=1, player="1")
    yield second
    dealt = engine.start(setting.rules.rules, 2, entropy(setting))
    yield from dealt
    yield SeatReplaced(seat=1, brain="greedy", reason="left", next=dealt[-1].next)
    yield SeatReturned(seat=1, next=dealt[-1].next)
    yield SeatResigned(seat=0)
    yield GameFinished(result=resigned_result(0), next=Next(FINISHED))


@pytest.mark.parametrize("ruleset_id", ["throw_in", "mau_mau"])
@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_coming_going_and_resigning_fold_too(viewer: int | None, ruleset_id: str) -> None:
    setting = Setting(compatible(ruleset_id, {}), 2, 5, 0.3)
    created, *events = at_the_table(setting)
    game = games.evolve(None, created)
    view = as_json(view_for(game, viewer, sitting(game)))
    for event in events:
        game = games.evolve(game, event)
        seen = {"seq": game.version, **redact(event, viewer)}
        if event.next is not None:
            seen["next"] = next_for(game.state, event.next, viewer)
        view = client.fold(view, as_json(seen))
        assert view == as_json(view_for(game, viewer, sitting(game)))
    assert view["status"] == "finished"
    assert view["result"]["reason"] == "resigned"


def kept_seats(setting: Setting) -> Iterator[Event]:
    """A rematch for which one comes, goes and comes again."""
    created, first, _ = opening(setting)
    until = datetime(2026, 11, 30, 12, 10, tzinfo=UTC)
    yield replace(created, reserved=("0", "1"), reserved_until=until, game_number=2)
    yield from (first, PlayerLeft(seat=0, player="0"), first)


@pytest.mark.parametrize("viewer", [None, 0])
@pytest.mark.parametrize("comes", [True, False])
def test_seats_that_are_kept_fold_too(viewer: int | None, comes: bool) -> None:
    setting = Setting(compatible("throw_in", {}), 2, 5, 0.3)
    created, *events = kept_seats(setting)
    *_, second = opening(setting)
    dealt = engine.start(setting.rules.rules, 2, entropy(setting))
    events += (second, *dealt) if comes else (GameVoided(result=void_result()),)
    game = games.evolve(None, created)
    view = as_json(view_for(game, viewer, sitting(game)))
    assert [seat["reserved_for"] for seat in view["seats"]] == ["0", "1"]
    for event in events:
        game = games.evolve(game, event)
        seen = {"seq": game.version, **redact(event, viewer)}
        if event.next is not None:
            seen["next"] = next_for(game.state, event.next, viewer)
        view = client.fold(view, as_json(seen))
        assert view == as_json(view_for(game, viewer, sitting(game)))
    assert view["status"] == ("running" if comes else "finished")
    assert "reserved_until" not in view


def sitting(game: Game) -> list[Sitter | None]:
    """Who owns each seat; accounts show under their own ids here."""
    return [
        None if chair.owner is None else Sitter(chair.owner, chair.kind) for chair in game.chairs
    ]
