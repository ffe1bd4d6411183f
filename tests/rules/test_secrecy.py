"""Secrecy: what a viewer may not know changes nothing that he gets.

Twins are two games whose logs differ only in cards that the viewer has not seen: his views,
events, legal moves, refusals and replies must be the same, byte for byte.
"""

import random
import re
from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.cards import to_cards
from games.rules.events import (
    AttackerNamed,
    CardsDealt,
    CardsRedealt,
    Event,
    HandReplenished,
    TrumpTurned,
)
from games.rules.rulesets.registry import ruleset
from games.rules.rulesets.schema import is_face_out
from tests.rules.playing import Logged, Setting, log, settings, some
from tests.rules.twins import (
    assert_answered_alike,
    assert_logs_look_alike,
    assert_told_alike,
    assert_twins_differ,
    cards_in,
    from_json,
    hidden_hands,
    moment,
    shown,
    swapping,
    told,
    twin_state,
)

CARD = re.compile(rb'"([2-9TJQKA][SHDC])"')


@given(settings(), st.integers(0, 2**32))
def test_W08_twin_logs_look_alike_at_every_version(setting: Setting, seed: int) -> None:
    assert_logs_look_alike(setting, random.Random(seed))


@given(settings(), st.integers(0, 2**32))
def test_W08_W10_every_move_is_answered_alike_in_both_twins(setting: Setting, seed: int) -> None:
    assert_answered_alike(setting, seed)


@given(settings(), st.integers(0, 2**32))
def test_W08_a_move_is_told_alike_to_who_cannot_see_the_difference(
    setting: Setting, seed: int
) -> None:
    assert_told_alike(setting, seed)


@given(settings())
def test_W01_a_view_shows_own_hand_table_and_open_card_and_no_card_more(setting: Setting) -> None:
    for version, (_, game) in enumerate(some(log(setting), setting)):
        state = game.state
        if state is None or not state.hands:
            continue
        public = {card for pair in state.table for card in pair if card} | {state.turn_up}
        public |= {card for hand in state.hands for card in to_cards(hand & state.exposed)}
        if state.rules.discard_visibility == "full":
            public |= set(to_cards(state.discard))
        assert cards_in(from_json(shown(game, None))) <= public
        seat = version % setting.seats
        in_hands = {card for hand in state.hands for card in to_cards(hand)}
        seen = in_hands - set(hidden_hands(state, seat))
        assert seen <= cards_in(from_json(shown(game, seat))) <= seen | public


def named_in(text: bytes) -> set[str]:
    """The cards that stand in JSON, as `cards_in` finds them, but for tests that read a lot."""
    return {card.decode() for card in CARD.findall(text)}


def shown_by(event: Event, viewer: int | None, face_out: bool) -> set[str]:
    """The cards that an event lets the viewer see, by the rules of what lies open (B-30, W02)."""

    def sees(seat: int) -> bool:
        return viewer is not None and (seat == viewer) != face_out

    if isinstance(event, CardsDealt):
        return {card for seat, hand in enumerate(event.hands) if sees(seat) for card in hand}
    if isinstance(event, HandReplenished):
        return set(event.cards) if sees(event.seat) else {event.open_card or ""}
    hidden = isinstance(event, AttackerNamed) and face_out
    return set() if hidden else named_in(msgspec.json.encode(event))


@given(settings())
def test_W02_an_event_shows_nobody_a_card_that_he_cannot_know(setting: Setting) -> None:
    entries = list(log(setting))
    for viewer in (None, setting.seed % setting.seats):
        assert_told_what_lies_open(entries, viewer)


def assert_told_what_lies_open(entries: Sequence[Logged], viewer: int | None) -> None:
    """The viewer is told no card too many and none too few."""
    told_so_far: set[str] = set()
    known: set[str] = set()
    drawn: set[str] = set()
    for event, game in entries:
        face_out = is_face_out(game.rules)
        if isinstance(event, CardsRedealt):
            # Nothing holds any more, until the cards are dealt anew.
            told_so_far.clear()
            known.clear()
            continue
        if isinstance(event, TrumpTurned):
            drawn = set(event.drawn)
        known |= shown_by(event, viewer, face_out)
        told_so_far |= named_in(told(event, game, viewer))
        assert told_so_far <= known
        state = game.state
        if state is None or not state.hands:
            continue
        if not isinstance(event, CardsDealt):
            assert not told_so_far & (set(state.talon) - {state.turn_up} - drawn)
        for seat, hand in enumerate(state.hands):
            if viewer is not None and (seat == viewer) != face_out:
                assert set(to_cards(hand)) <= told_so_far


def test_cards_are_found_in_text_as_in_values() -> None:
    value = {"cards": ["6S", "TD", "XS", "6S7D"], "text": "AH", "more": [{"card": "??"}]}
    assert named_in(msgspec.json.encode(value)) == cards_in(value) == {"6S", "TD", "AH"}


@pytest.mark.parametrize("ruleset_id", ["throw_in", "mau_mau"])
def test_twins_differ(ruleset_id: str) -> None:
    assert_twins_differ(ruleset_id)


def test_twins_differ_face_out_in_the_viewers_own_hand() -> None:
    setting = Setting(ruleset("transfer.face_out"), 3, 1, 0.3)
    game = moment(setting, random.Random(4))
    assert game.state is not None
    twin = twin_state(
        game.state, swapping([*hidden_hands(game.state, 0), *game.state.talon], random.Random(1))
    )
    assert twin.hands[1:] == game.state.hands[1:]
    assert twin.hands[0] != game.state.hands[0]
    assert twin.slots[0] != game.state.slots[0]
