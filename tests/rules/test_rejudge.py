"""A log judged again: a true one passes, in a false one the first false event is named."""

import random
from collections.abc import Callable
from datetime import UTC, datetime

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from games.rules import engine
from games.rules import game as games
from games.rules.cards import pack
from games.rules.events import (
    CardBeaten,
    Event,
    GameCreated,
    GameVoided,
    Next,
    PlayerJoined,
    Previous,
    SeatReplaced,
    SeatResigned,
    SeatReturned,
)
from games.rules.game import Game
from games.rules.rejudge import FalseEvent, rejudge
from games.rules.rulesets.registry import ruleset
from games.rules.scoring import annulled_result, draw_result, void_result
from games.rules.shuffle import Entropy
from games.rules.state import FINISHED
from tests.rules.playing import Setting, entropy, log, settings
from tests.rules.twins import as_json, cards_in

Forgery = Callable[[list[Event], int], list[Event]]


def judged(setting: Setting, events: list[Event]) -> Game:
    """The game of these events, decided again with the chance of the setting."""
    return rejudge(events, lambda game: entropy(setting))


def told(setting: Setting) -> list[Event]:
    return [logged.event for logged in log(setting)]


@given(settings())
def test_the_rules_make_the_same_events_again(setting: Setting) -> None:
    *_, (_, last) = log(setting)
    assert judged(setting, told(setting)) == last


def dropped(events: list[Event], at: int) -> list[Event]:
    return events[:at] + events[at + 1 :]


def doubled(events: list[Event], at: int) -> list[Event]:
    return [*events[: at + 1], *events[at:]]


def exchanged(events: list[Event], at: int) -> list[Event]:
    return [*events[:at], events[at + 1], events[at], *events[at + 2 :]]


@given(settings(), st.integers(0, 2**32), st.sampled_from((dropped, doubled, exchanged)))
def test_an_event_that_was_dropped_doubled_or_moved_is_found(
    setting: Setting, seed: int, forge: Forgery
) -> None:
    events = told(setting)
    at = random.Random(seed).randrange(len(events) - 1)
    forged = forge(events, at)
    # Neighbours may say the same: who joins which seat first does not matter to the rules.
    assume(forged != events)
    assume(not (events[at].next is None and type(events[at]) is type(events[at + 1])))
    with pytest.raises(FalseEvent) as found:
        judged(setting, forged)
    assert at + 1 <= found.value.seq <= len(events) + 1


def naming_cards(events: list[Event]) -> list[int]:
    """The places of the events that name a card."""
    return [at for at, event in enumerate(events) if cards_in(as_json(event))]


@given(settings(), st.integers(0, 2**32))
def test_another_card_in_any_event_is_found(setting: Setting, seed: int) -> None:
    events, rng = told(setting), random.Random(seed)
    at = rng.choice(naming_cards(events))
    card = rng.choice(sorted(cards_in(as_json(events[at]))))
    other = rng.choice([other for other in pack(setting.rules.rules.deck_size) if other != card])
    text = msgspec.json.encode(events[at]).replace(card.encode(), other.encode())
    forged = msgspec.json.decode(text, type=type(events[at]))
    with pytest.raises(FalseEvent):
        judged(setting, [*events[:at], forged, *events[at + 1 :]])


SETTING = Setting(ruleset("throw_in"), 3, 7, 0.3)


def at_a_pause(events: list[Event]) -> int:
    """A place between two moves."""
    return next(index + 1 for index, event in enumerate(events) if isinstance(event, CardBeaten))


def going_on(events: list[Event], at: int) -> Event:
    return replace(SeatReplaced(seat=0, brain="greedy", reason="left"), next=events[at - 1].next)


def test_seats_change_hands_between_moves_and_the_same_seats_go_on() -> None:
    events = told(SETTING)
    at = at_a_pause(events)
    gone = going_on(events, at)
    back = SeatReturned(seat=0, next=events[at - 1].next)
    assert judged(SETTING, [*events[:at], gone, back, *events[at:]]).status == "finished"
    wrong = replace(gone, next=Next("attack", (2,), 2, 0))
    with pytest.raises(FalseEvent, match="the same seats go on"):
        judged(SETTING, [*events[:at], wrong, back, *events[at:]])


def test_a_log_cut_within_a_move_is_not_whole() -> None:
    events = told(SETTING)
    within = next(index for index, event in enumerate(events[10:], 11) if event.next is None)
    with pytest.raises(FalseEvent, match="is missing"):
        judged(SETTING, events[:within])


def test_other_chance_makes_another_deal() -> None:
    chance = Entropy(bytes(32), "game", (b"",) * 3)
    with pytest.raises(FalseEvent, match=r"event \d+: by the rules"):
        rejudge(told(SETTING), lambda game: chance)


@pytest.mark.parametrize("events", [[], told(SETTING)[1:], told(SETTING)[:1] * 2])
def test_a_log_begins_once(events: list[Event]) -> None:
    with pytest.raises(FalseEvent):
        judged(SETTING, events)


def test_the_rules_of_a_game_are_those_that_were_hashed() -> None:
    created, *events = told(SETTING)
    assert isinstance(created, GameCreated)
    other = replace(created, rules={**created.rules, "hand_size": 5})
    with pytest.raises(FalseEvent, match="event 1: ruleset_sha256"):
        judged(SETTING, [other, *events])


def kept(*seats: str | None, **more: object) -> tuple[GameCreated, list[Event]]:
    """A rematch whose seats are kept for these accounts, and what follows in its log."""
    created, *events = told(SETTING)
    assert isinstance(created, GameCreated)
    until = datetime(2026, 11, 30, 12, 10, tzinfo=UTC)
    return replace(created, reserved=seats, reserved_until=until, **more), events


def test_what_the_game_before_left_decides_who_deals_and_leads() -> None:
    created, events = kept("0", "1", "2", previous=Previous(0, 1, 2, False), game_number=2)
    joined = [event for event in events if isinstance(event, PlayerJoined)]
    game = games.fold(None, (created, *joined))
    chance = entropy(SETTING)
    dealt = engine.start(game.rules, 3, chance, game.previous)
    assert judged(SETTING, [created, *joined, *dealt]).to_act == (2,)
    with pytest.raises(FalseEvent, match="by the rules its dealer is another"):
        judged(SETTING, [created, *joined, *engine.start(game.rules, 3, chance)])


def test_a_kept_seat_is_only_his() -> None:
    created, events = kept("0", "9", "2")
    with pytest.raises(FalseEvent, match="event 3: seat 1 is not his"):
        judged(SETTING, [created, *events])


def test_only_a_game_that_waits_is_called_off() -> None:
    created, events = kept("0", "1", "2")
    off = GameVoided(result=void_result())
    assert judged(SETTING, [created, off]).is_void
    assert judged(SETTING, [created, events[0], off]).status == "finished"
    assert judged(SETTING, [*told(SETTING)[:2], off]).is_void
    for forged in (
        [created, off, events[0]],
        [created, off, off],
        [created, *events[:8], off],
        [created, replace(off, result=draw_result(3, (), "x"))],
    ):
        with pytest.raises(FalseEvent):
            judged(SETTING, forged)


def test_a_referee_voids_what_was_dealt_and_changes_no_result() -> None:
    events = told(SETTING)
    running, ended = events[: at_a_pause(events)], events
    reason, end = "a test", Next(FINISHED)
    stopped = GameVoided(result=annulled_result(), reason=reason, next=end)
    taken = GameVoided(result=ended[-1].result, reason=reason, by="judge", next=end)
    assert judged(SETTING, [*running, stopped]).voided == reason
    game = judged(SETTING, [*ended, taken])
    assert (game.voided, game.result) == (reason, taken.result)
    for forged in (
        [*running, replace(stopped, result=taken.result)],
        [*ended, replace(taken, result=annulled_result())],
        [*ended, taken, taken],
        [*running, stopped, events[at_a_pause(events)]],
        [*events[:1], stopped],
    ):
        with pytest.raises(FalseEvent):
            judged(SETTING, forged)


def test_nobody_sits_twice_returns_unasked_or_resigns_twice() -> None:
    events = told(SETTING)
    at = at_a_pause(events)
    follows = events[at - 1].next
    twice = [events[0], events[1], replace(events[1], seat=1)]
    back = SeatReturned(seat=0, next=follows)
    resigned = SeatResigned(seat=0, next=follows)
    for forged in (twice, [*events[:at], back], [*events[:at], resigned, resigned]):
        with pytest.raises(FalseEvent, match="seat"):
            judged(SETTING, forged)


def test_of_two_who_resigns_says_nothing_of_what_follows() -> None:
    setting = Setting(ruleset("throw_in"), 2, 7, 0.3)
    events = told(setting)
    at = at_a_pause(events)
    resigned = SeatResigned(seat=0, next=events[at - 1].next)
    with pytest.raises(FalseEvent, match="its next"):
        judged(setting, [*events[:at], resigned])
