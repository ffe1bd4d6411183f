"""Secrecy in shedding games: what a viewer may not know changes nothing that he gets."""

import random

from hypothesis import given
from hypothesis import strategies as st

from games.rules.cards import to_cards
from games.rules.events import CardsDealt, CardsDrawn, DiscardRecycled, Event
from games.rules.shedding.state import SheddingState
from tests.rules.playing import Setting, log, shedding_settings, some
from tests.rules.twins import (
    as_json,
    assert_answered_alike,
    assert_logs_look_alike,
    assert_told_alike,
    cards_in,
    from_json,
    shown,
    told,
)


@given(shedding_settings(), st.integers(0, 2**32))
def test_W08_W13_twin_logs_look_alike_at_every_version(setting: Setting, seed: int) -> None:
    assert_logs_look_alike(setting, random.Random(seed))


@given(shedding_settings(), st.integers(0, 2**32))
def test_W08_W10_every_move_is_answered_alike_in_both_twins(setting: Setting, seed: int) -> None:
    assert_answered_alike(setting, seed)


@given(shedding_settings(), st.integers(0, 2**32))
def test_W08_a_move_is_told_alike_to_who_cannot_see_the_difference(
    setting: Setting, seed: int
) -> None:
    assert_told_alike(setting, seed)


@given(shedding_settings())
def test_W01_a_view_shows_own_hand_and_top_card_and_no_card_more(setting: Setting) -> None:
    for version, (_, game) in enumerate(some(log(setting), setting)):
        state = game.state
        if not isinstance(state, SheddingState) or not state.hands:
            continue
        seat = version % setting.seats
        open_cards = set(state.pile[-1:])
        assert cards_in(from_json(shown(game, None))) == open_cards
        own = set(to_cards(state.hands[seat]))
        assert own <= cards_in(from_json(shown(game, seat))) <= own | open_cards


def shown_by(event: Event, viewer: int | None) -> set[str]:
    """The cards that an event lets the viewer see (W02, W13)."""
    if isinstance(event, CardsDealt):
        return set() if viewer is None else set(event.hands[viewer])
    if isinstance(event, CardsDrawn):
        return set(event.cards) if event.seat == viewer else set()
    return set() if isinstance(event, DiscardRecycled) else cards_in(as_json(event))


@given(shedding_settings())
def test_W02_W13_an_event_shows_nobody_a_card_that_he_cannot_know(setting: Setting) -> None:
    for viewer in (None, setting.seed % setting.seats):
        known: set[str] = set()
        told_so_far: set[str] = set()
        for event, game in log(setting):
            known |= shown_by(event, viewer)
            told_so_far |= cards_in(from_json(told(event, game, viewer)))
            assert told_so_far <= known
            if viewer is not None and game.state is not None and game.state.hands:
                assert set(to_cards(game.state.hands[viewer])) <= told_so_far
