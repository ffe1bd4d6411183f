"""Clocks: deadlines, time banks, missed turns and outages; the log tells them all."""

import random
from datetime import timedelta
from itertools import pairwise
from typing import Any
from uuid import UUID

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from games.projections.results import finished_game, places_of
from games.rules import engine
from games.rules.clocks import (
    MISSES,
    awaited,
    bare,
    extensions,
    false_time,
    missed_turn,
    stamped,
    time_up,
    turns_run_out,
)
from games.rules.events import (
    CARD_EVENTS,
    TYPE_OF,
    DeadlineExtended,
    Event,
    SeatReplaced,
    SeatReturned,
    SeatTimedOut,
)
from games.rules.rejudge import FalseEvent, rejudge
from games.rules.state import State
from games.rules.views import acting_state, next_for, redact
from tests.rules import client
from tests.rules.playing import Setting, compatible, entropy, settings, shedding_settings, some
from tests.rules.test_fold import as_json, served
from tests.rules.timed import BEGAN, TERMS, Clocked, clocked
from tests.rules.twins import (
    CHANCE,
    hidden_hands,
    swapping,
    twin_state,
    viewers,
)

SETTINGS = settings() | shedding_settings()
SEEDS = st.integers(0, 2**32)


def duel(seats: int = 2, ruleset_id: str = "throw_in", **terms: Any) -> Clocked:
    """A table that has just been dealt, 30 seconds a turn unless the terms say otherwise."""
    rules = compatible(ruleset_id, terms.pop("options", {}))
    return Clocked(Setting(rules, seats, 5, 0.3), {"turn_seconds": 30, **terms})


def types_of(table: Clocked, after: int) -> list[str]:
    """The types of the events after so many."""
    return [TYPE_OF[type(told.event)] for told in table.log[after:]]


def left(table: Clocked) -> float | None:
    """Seconds until the deadline."""
    at = table.game.deadline
    return None if at is None else (at - table.now).total_seconds()


class TestTurns:
    """How long a turn is."""

    def test_a_turn_begins_with_the_deal_and_with_every_move(self) -> None:
        table, rng = duel(), random.Random(1)
        assert left(table) == 30
        for _ in range(5):
            table.wait(12)
            assert left(table) == 18
            table.move(rng)
            assert left(table) == 30

    def test_without_a_clock_there_is_no_deadline(self) -> None:
        table = duel(turn_seconds=None)
        assert (table.game.deadline, table.game.clock) == (None, None)
        assert time_up(table.game, table.now + timedelta(days=9)) == ()

    def test_a_turn_may_take_what_is_in_the_bank(self) -> None:
        table = duel(bank_seconds=10)
        [seat] = table.game.to_act
        assert left(table) == 40
        table.wait(33.0004)
        table.move(random.Random(1))
        assert table.game.clock is not None
        # Begun milliseconds count.
        assert table.game.clock.banks[seat] == 6_999
        assert table.game.clock.banks[1 - seat] == 10_000

    def test_a_move_in_time_costs_no_bank(self) -> None:
        table = duel(bank_seconds=10)
        table.wait(30)
        table.move(random.Random(1))
        assert table.game.clock is not None
        assert table.game.clock.banks == (10_000, 10_000)

    def test_a_move_that_came_before_the_server_acted_is_a_move(self) -> None:
        table = duel(bank_seconds=10)
        [seat] = table.game.to_act
        table.wait(55)
        table.move(random.Random(1))
        assert table.game.clock is not None
        assert (table.game.clock.banks[seat], table.game.clock.missed) == (0, ())

    def test_leaving_and_returning_win_no_time(self) -> None:
        table = duel()
        before = table.game.deadline
        table.wait(20)
        assert table.game.state is not None
        follows = engine.standing(table.game.state)
        table.write([SeatReplaced(seat=0, brain="greedy", reason="left", next=follows)])
        table.wait(5)
        table.write([SeatReturned(seat=0, next=follows)])
        assert table.game.deadline == before

    def test_nobody_is_waited_for_at_the_end(self) -> None:
        table = clocked(
            Setting(compatible("throw_in", {}), 2, 5, 0.3), {"turn_seconds": 5}, random.Random(1)
        )
        assert (table.game.status, table.game.deadline) == ("finished", None)


class TestMissing:
    """What happens when the time is up."""

    def test_nothing_happens_before(self) -> None:
        table = duel(bank_seconds=3)
        table.wait(32.999999)
        assert turns_run_out(table.game, table.now, "greedy", table.chance) == ()

    def test_X01_the_safe_move_is_made_and_another_turn_begins(self) -> None:
        table = duel()
        before = len(table.log)
        table.time_out()
        assert types_of(table, before) == ["seat_timed_out", "bout_opened"]
        assert left(table) == 30
        table.time_out()
        assert types_of(table, before)[2:4] == ["seat_timed_out", "take_declared"]

    def test_the_third_miss_in_a_row_hands_the_seat_to_a_bot(self) -> None:
        table, rng = duel(ruleset_id="mau_mau"), random.Random(3)
        [slow] = table.game.to_act
        misses = []
        while table.game.chairs[slow].brain is None:
            if table.game.to_act == (slow,):
                before = len(table.log)
                table.time_out()
                misses.append(types_of(table, before)[:2])
            else:
                table.move(rng)
        assert len(misses) == MISSES
        assert misses[-1] == ["seat_timed_out", "seat_replaced"]
        assert (table.game.to_act, left(table)) == ((slow,), 30)
        assert "seat_replaced" not in misses[0] + misses[1]

    def test_a_move_forgives_what_was_missed(self) -> None:
        table, rng = duel(ruleset_id="mau_mau"), random.Random(3)
        [slow] = table.game.to_act
        for turn in range(6):
            while table.game.to_act != (slow,):
                table.move(rng)
            table.time_out() if turn % 2 else table.move(rng)
        assert table.game.chairs[slow].brain is None

    def test_a_bot_may_take_the_seat_at_once(self) -> None:
        table = duel(on_timeout="bot")
        [seat], before = table.game.to_act, len(table.log)
        table.time_out()
        assert types_of(table, before) == ["seat_timed_out", "seat_replaced"]
        assert (table.game.chairs[seat].brain, left(table)) == ("greedy", 30)
        table.time_out()
        assert types_of(table, before)[2:] == ["seat_timed_out", "bout_opened"]

    @pytest.mark.parametrize("on_timeout", ["bot", "safe_move"])
    @pytest.mark.parametrize("ruleset_id", ["throw_in", "mau_mau"])
    def test_coming_back_again_and_again_holds_nobody_up(
        self, on_timeout: str, ruleset_id: str
    ) -> None:
        table, missed, moved = duel(ruleset_id=ruleset_id, on_timeout=on_timeout), 0, 0
        while missed < 40 and table.game.status == "running":
            before = len(table.log)
            table.time_out()
            missed += 1
            moved += any(TYPE_OF[type(told.event)] in CARD_EVENTS for told in table.log[before:])
            table.come_back()
        assert moved >= missed // 2 > 2

    def test_who_comes_back_to_his_turn_has_the_whole_of_it_once(self) -> None:
        table = duel(on_timeout="bot")
        [seat], before = table.game.to_act, len(table.log)
        for _ in range(2):
            table.time_out()
            table.come_back()
            assert left(table) == 30
        assert types_of(table, before) == [
            *("seat_timed_out", "seat_replaced", "seat_returned"),
            *("seat_timed_out", "bout_opened"),
        ]
        assert table.game.chairs[seat].brain is None

    def test_of_two_the_late_one_forfeits(self) -> None:
        table = duel(on_timeout="forfeit")
        [seat], before = table.game.to_act, len(table.log)
        table.time_out()
        assert types_of(table, before) == ["seat_timed_out", "seat_resigned", "game_finished"]
        result = table.game.result
        assert result is not None
        assert (result.durak, result.winner, result.reason) == (seat, 1 - seat, "timeout")

    def test_of_more_a_bot_plays_the_seat_of_who_forfeited_on(self) -> None:
        table, rng = duel(3, on_timeout="forfeit"), random.Random(2)
        [seat], before = table.game.to_act, len(table.log)
        table.time_out()
        assert types_of(table, before) == ["seat_timed_out", "seat_resigned", "seat_replaced"]
        while table.game.status != "finished":
            table.move(rng)
        chairs = enumerate(table.game.chairs)
        players = [replace(chair, player=str(UUID(int=number))) for number, chair in chairs]
        over = replace(table.game, chairs=tuple(players))
        assert places_of(finished_game(UUID(int=9), over, BEGAN))[seat].is_durak

    def test_all_whom_the_table_waits_for_pass_together(self) -> None:
        table = duel(4, options={"throw_in_timing": "anytime", "attack_limit": 6})
        rng = random.Random(4)
        while len(awaited(table.game)) < 2:
            table.move(rng)
        late, before = awaited(table.game), len(table.log)
        table.time_out()
        told = types_of(table, before)
        assert told.count("seat_timed_out") == told.count("seat_passed") == len(late)

    def test_while_there_is_something_to_beat_only_the_defender_is_late(self) -> None:
        table = duel(4, options={"throw_in_timing": "anytime"})
        table.time_out()
        state = table.game.state
        assert isinstance(state, State)
        assert len(table.game.to_act) > 1
        assert awaited(table.game) == (state.defender,)
        assert time_up(table.game, table.now + timedelta(minutes=1)) == (state.defender,)

    def test_a_game_that_is_not_dealt_has_no_turn_to_miss(self) -> None:
        opened = duel().log[0].game
        with pytest.raises(ValueError, match="not begun"):
            missed_turn(opened, 0, "greedy", CHANCE)


class TestOutages:
    """Time in which the service was out of order."""

    def test_it_is_given_back_once(self) -> None:
        table = duel()
        table.wait(10)
        outage = (table.now, table.now + timedelta(seconds=100))
        table.fail(100)
        assert left(table) == 20
        assert extensions(table.game, [outage]) == []

    def test_only_as_much_as_lay_in_the_turn(self) -> None:
        table = duel()
        began = table.now - timedelta(seconds=50)
        table.wait(10)
        table.write(extensions(table.game, [(began, table.now)]))
        assert left(table) == 30

    def test_of_two_each_is_given_back(self) -> None:
        table = duel()
        at = [table.now + timedelta(seconds=seconds) for seconds in (0, 5, 25, 40, 60)]
        table.now = at[4]
        table.write(extensions(table.game, [(at[1], at[2]), (at[3], at[4])]))
        assert left(table) == 30 + 40 - 60

    def test_one_before_the_turn_takes_nothing(self) -> None:
        table = duel()
        assert extensions(table.game, [(BEGAN - timedelta(hours=1), BEGAN)]) == []

    def test_the_bank_is_spared_too(self) -> None:
        table = duel(bank_seconds=10)
        table.wait(25)
        table.fail(300)
        table.wait(5)
        table.move(random.Random(1))
        assert table.game.clock is not None
        assert table.game.clock.banks == (10_000, 10_000)


@given(SETTINGS, TERMS, SEEDS)
def test_a_log_agrees_with_the_rules_and_with_its_times(
    setting: Setting, terms: dict[str, Any], seed: int
) -> None:
    table = clocked(setting, terms, random.Random(seed))
    assert false_time((told.event, told.at) for told in table.log) is None
    game = rejudge([told.event for told in table.log], lambda _: entropy(setting))
    assert game == table.game


@given(SETTINGS, TERMS, SEEDS)
def test_banks_only_shrink_and_are_never_negative(
    setting: Setting, terms: dict[str, Any], seed: int
) -> None:
    table = clocked(setting, terms, random.Random(seed))
    banks = [told.game.clock.banks for told in table.log if told.game.clock is not None]
    full = terms["bank_seconds"] * 1000
    assert banks[0] == ((full,) * setting.seats if full else ())
    for before, after in pairwise(banks):
        assert all(0 <= now <= then for then, now in zip(before, after, strict=True))


@given(SETTINGS, TERMS, SEEDS)
def test_some_time_runs_while_somebody_may_act(
    setting: Setting, terms: dict[str, Any], seed: int
) -> None:
    for told in clocked(setting, terms, random.Random(seed)).log:
        game = told.game
        assert (game.deadline is None) == (not game.to_act)
        if game.deadline is not None:
            assert time_up(game, game.deadline)
            assert not time_up(game, game.deadline - timedelta(microseconds=1))


@given(SETTINGS, TERMS, SEEDS)
def test_another_time_is_found(setting: Setting, terms: dict[str, Any], seed: int) -> None:
    rng = random.Random(seed)
    log = [(told.event, told.at) for told in clocked(setting, terms, rng).log]
    at = rng.choice([index for index, (event, _) in enumerate(log) if event.next is not None])
    event, _ = log[at]
    assert event.next is not None
    assert event.next.clock is not None
    later = replace(event.next.clock, since=event.next.clock.since + timedelta(seconds=1))
    forged = replace(event, next=replace(event.next, clock=later))
    found = false_time([*log[:at], (forged, log[at][1]), *log[at + 1 :]])
    assert found is not None
    assert found[0] == at + 1
    assert false_time([*log[:at], (bare(event), log[at][1]), *log[at + 1 :]]) is not None


def test_a_time_out_before_its_time_is_found() -> None:
    table = duel()
    table.wait(29)
    missed = missed_turn(table.game, table.game.to_act[0], "greedy", table.chance)
    table.write(missed)
    found = false_time((told.event, told.at) for told in table.log)
    assert found is not None
    assert "was not up" in found[1]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda event: replace(event, missed=2), "missed"),
        (lambda event: replace(event, seat=1 - event.seat), "waits"),
    ],
)
def test_a_false_miss_is_found(change: Any, reason: str) -> None:
    table = duel()
    table.time_out()
    events = [told.event for told in table.log]
    at = next(n for n, event in enumerate(events) if isinstance(event, SeatTimedOut))
    with pytest.raises(FalseEvent, match=reason) as found:
        rejudge([*events[:at], change(events[at]), *events[at + 1 :]], lambda _: table.chance)
    assert found.value.seq == at + 1


def test_a_miss_without_a_clock_and_time_for_no_outage_are_found() -> None:
    table = duel(turn_seconds=None)
    events: list[Event] = [told.event for told in table.log]
    seat = table.game.to_act[0]
    with pytest.raises(FalseEvent, match="no clock"):
        rejudge([*events, SeatTimedOut(seat=seat, missed=1)], lambda _: table.chance)
    never = DeadlineExtended(down_from=BEGAN, down_until=BEGAN, next=events[-1].next)
    with pytest.raises(FalseEvent, match="no time"):
        rejudge([*events, never], lambda _: table.chance)
    timed = duel()
    timed.write([replace(never, next=bare(timed.log[-1].event).next)])
    with pytest.raises(FalseEvent, match="before it begins"):
        rejudge([told.event for told in timed.log], lambda _: timed.chance)


@given(SETTINGS, TERMS, SEEDS)
def test_folding_the_events_gives_the_view_of_every_version(
    setting: Setting, terms: dict[str, Any], seed: int
) -> None:
    table = clocked(setting, terms, random.Random(seed))
    opened = setting.seats + 1
    for viewer in (None, seed % setting.seats):
        view = served(table.log[opened - 1].game, viewer)
        looked_at = {entry.game.version for entry in some(table.log[opened:], setting)}
        for entry in table.log[opened:]:
            seen = {"seq": entry.game.version, **redact(entry.event, viewer)}
            if entry.event.next is not None:
                state = acting_state(entry.game, viewer)
                seen["next"] = next_for(state, entry.event.next, viewer)
            view = client.fold(view, as_json(seen))
            if entry.game.version in looked_at:
                assert view == served(entry.game, viewer)


@given(SETTINGS, TERMS, SEEDS)
def test_W08_a_deadline_tells_nothing_of_hidden_cards(
    setting: Setting, terms: dict[str, Any], seed: int
) -> None:
    """Whatever is played in two twins alike: the clock after it is the same."""
    rng = random.Random(seed)
    table = Clocked(setting, terms)
    for _ in range(rng.randrange(12)):
        if table.game.to_act:
            table.wait(rng.choice((1.0, 6.5)))
            table.move(rng)
    assume(table.game.to_act)
    game, viewer = table.game, rng.choice(viewers(setting.seats))
    assert game.state is not None
    hidden = hidden_hands(game.state, viewer)
    twin = replace(game, state=twin_state(game.state, swapping(hidden, rng)))
    at = table.now + timedelta(seconds=rng.choice((1, 20, 100_000)))
    assert time_up(game, at) == time_up(twin, at)
    both = [turns_run_out(one, at, "greedy", table.chance) for one in (game, twin)]
    clocks = [
        [event.next and event.next.clock for event in stamped(game, events, at)] for events in both
    ]
    told = [[redact(event, viewer) for event in events] for events in both]
    # Where both are seen to do the same, the time that follows is the same.
    if told[0] == told[1]:
        assert clocks[0] == clocks[1]
