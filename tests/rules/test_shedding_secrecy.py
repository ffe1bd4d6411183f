"""Secrecy in shedding games: what a viewer may not know changes nothing that he gets."""

import random
from typing import Any

import msgspec
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from games.rules import engine
from games.rules import game as games
from games.rules.cards import to_cards
from games.rules.errors import Refusal
from games.rules.events import CardsDealt, CardsDrawn, DiscardRecycled, Event
from games.rules.moves import Move
from games.rules.rulesets.registry import ruleset
from games.rules.shedding.state import SheddingState
from tests.rules.playing import Setting, any_turn, log, shedding_settings, some
from tests.rules.twins import (
    CHANCE,
    as_json,
    assert_answered_alike,
    assert_logs_look_alike,
    cards_in,
    hidden_hands,
    moment,
    shown,
    swapping,
    told,
    twin_state,
    viewers,
)


def from_json(text: bytes) -> Any:
    return msgspec.json.decode(text)


@given(shedding_settings(), st.integers(0, 2**32))
def test_W08_W13_twin_logs_look_alike_at_every_version(setting: Setting, seed: int) -> None:
    assert_logs_look_alike(setting, random.Random(seed))


@given(shedding_settings(), st.integers(0, 2**32))
def test_W08_W10_every_move_is_answered_alike_in_both_twins(setting: Setting, seed: int) -> None:
    assert_answered_alike(setting, seed)


def is_accepted(state: SheddingState, seat: int, move: Move) -> bool:
    try:
        engine.decide(state, seat, move, CHANCE)
    except Refusal:
        return False
    return True


@given(shedding_settings(), st.integers(0, 2**32))
def test_W08_a_move_is_told_alike_to_who_cannot_see_the_difference(
    setting: Setting, seed: int
) -> None:
    rng = random.Random(seed)
    game = moment(setting, rng)
    assert isinstance(game.state, SheddingState)
    mover, move = any_turn(game.state, rng)
    viewer = rng.choice(viewers(setting.seats))
    events = engine.decide(game.state, mover, move, CHANCE)
    told_now = {card for event in events for card in cards_in(as_json(msgspec.to_builtins(event)))}
    hidden = [card for card in hidden_hands(game.state, viewer) if card not in told_now]
    twin = replace(game, state=twin_state(game.state, swapping(hidden, rng)))
    # Whether the mover may draw, pass or name a suit depends on his hand, and he alone is told.
    assume(is_accepted(twin.state, mover, move))
    others = engine.decide(twin.state, mover, move, CHANCE)
    # What is counted at the end lies open.
    assume(events[-1].next is not None and events[-1].next.phase != "finished")
    for event, other in zip(events, others, strict=True):
        game, twin = games.evolve(game, event), games.evolve(twin, other)
        if viewer != mover:
            assert told(event, game, viewer) == told(other, twin, viewer)
            assert shown(game, viewer) == shown(twin, viewer)


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


def test_twins_differ() -> None:
    setting = Setting(ruleset("mau_mau"), 3, 1, 0.0)
    game = moment(setting, random.Random(4))
    assert isinstance(game.state, SheddingState)
    others = [card for hand in game.state.hands[1:] for card in to_cards(hand)]
    twin = twin_state(game.state, swapping(others, random.Random(1)))
    assert twin.hands[0] == game.state.hands[0]
    assert twin.hands[1] != game.state.hands[1]
