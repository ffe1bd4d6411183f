"""Secrecy: what a viewer may not know changes nothing that he gets.

Twins are two games whose logs differ only in cards that the viewer has not seen: his views,
events, legal moves, refusals and replies must be the same, byte for byte.
"""

import random
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from games.rules import engine
from games.rules import game as games
from games.rules.cards import CARDS, pack, to_cards, to_set
from games.rules.errors import Refusal
from games.rules.events import (
    AttackerNamed,
    CardsDealt,
    CardsRedealt,
    Event,
    HandReplenished,
    TrumpTurned,
)
from games.rules.game import Game
from games.rules.moves import Move
from games.rules.rulesets.registry import ruleset
from games.rules.shuffle import Entropy
from games.rules.state import State
from games.rules.views import Sitter, next_for, redact, view_for
from games.store.codec import decode_event, encode_event
from tests.rules.playing import Logged, Setting, any_turn, log, settings, some
from tests.rules.tables import offered
from tests.rules.tries import every_move

Swap = Mapping[str, str]
CHANCE = Entropy(bytes(32), "game", ())


def shown(game: Game, viewer: int | None) -> bytes:
    """The view, as bytes."""
    sitters = [Sitter(str(seat), "human") for seat in range(len(game.chairs))]
    return msgspec.json.encode(view_for(game, viewer, sitters))


def told(event: Event, game: Game, viewer: int | None) -> bytes:
    """An event with what follows it, as bytes."""
    seen = redact(event, viewer)
    if event.next is not None:
        seen["next"] = next_for(game.state, event.next, viewer)
    return msgspec.json.encode(seen)


def cards_in(value: Any) -> set[str]:
    """Every card that a JSON value names anywhere."""
    if isinstance(value, str):
        return {value} & set(CARDS)
    if isinstance(value, dict):
        return {card for part in value.values() for card in cards_in(part)}
    if isinstance(value, list):
        return {card for part in value for card in cards_in(part)}
    return set()


def seen_by(entries: list[Logged], viewer: int | None) -> set[str]:
    """Every card that the viewer has seen in his events."""
    return {card for entry in entries for card in cards_in(as_json(redact(entry.event, viewer)))}


def as_json(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def swapping(cards: list[str], rng: random.Random) -> Swap:
    """A random exchange of these cards among themselves."""
    others = cards[:]
    rng.shuffle(others)
    return dict(zip(cards, others, strict=True))


def swapped(event: Event, swap: Swap) -> Event:
    """The event with other cards in it."""
    kind, version, facts = encode_event(event)
    facts = msgspec.json.encode(_swapped(msgspec.json.decode(facts), swap))
    return decode_event(kind, version, facts.decode())


def _swapped(value: Any, swap: Swap) -> Any:
    if isinstance(value, str):
        return swap.get(value, value)
    if isinstance(value, list):
        return [_swapped(part, swap) for part in value]
    if isinstance(value, dict):
        return {name: _swapped(part, swap) for name, part in value.items()}
    return value


def twin_state(state: State, swap: Swap) -> State:
    """The state with other cards in hands, talon and memory."""

    def other(cards: int) -> int:
        return to_set(swap.get(card, card) for card in to_cards(cards))

    return replace(
        state,
        hands=tuple(other(hand) for hand in state.hands),
        talon=tuple(swap.get(card, card) for card in state.talon),
        slots=tuple(tuple(card and swap.get(card, card) for card in hand) for hand in state.slots),
        seen=tuple((seat, *(other(hand) for hand in hands)) for seat, *hands in state.seen),
    )


def hidden_hands(state: State, viewer: int | None) -> list[str]:
    """Cards in hands that the viewer does not see: others' hands, or face out his own."""
    exposed = state.exposed
    return [
        card
        for seat, hand in enumerate(state.hands)
        if viewer is None or (seat == viewer) == state.rules.face_out
        for card in to_cards(hand & ~exposed)
    ]


def viewers(seats: int) -> tuple[int | None, ...]:
    return (None, *range(seats))


@given(settings(), st.integers(0, 2**32))
def test_W08_twin_logs_look_alike_at_every_version(setting: Setting, seed: int) -> None:
    rng = random.Random(seed)
    entries = list(log(setting))
    entries = entries[: rng.randint(5, len(entries))]
    viewer = rng.choice(viewers(setting.seats))
    known = seen_by(entries, viewer)
    swap = swapping(
        [card for card in pack(setting.rules.rules.deck_size) if card not in known], rng
    )
    looked_at = {entry.game.version for entry in some(entries, setting)}
    game: Game | None = None
    twin: Game | None = None
    for event in (swapped(entry.event, {}) for entry in entries):
        other = swapped(event, swap)
        game, twin = games.evolve(game, event), games.evolve(twin, other)
        assert told(event, game, viewer) == told(other, twin, viewer)
        if game.version in looked_at:
            assert shown(game, viewer) == shown(twin, viewer)


def answers(state: State, seat: int, rng: random.Random) -> Iterator[tuple[Move, str | None]]:
    """Every move with the code that refuses it, or None."""
    for move in every_move(state, seat, rng):
        try:
            engine.decide(state, seat, move, CHANCE)
        except Refusal as refusal:
            yield move, refusal.code
        else:
            yield move, None


def moment(setting: Setting, rng: random.Random) -> Game:
    """The game at a random moment between two moves."""
    between = [game for event, game in log(setting) if event.next is not None]
    return rng.choice(between[:-1])


@given(settings(), st.integers(0, 2**32))
def test_W08_W10_every_move_is_answered_alike_in_both_twins(setting: Setting, seed: int) -> None:
    state = moment(setting, random.Random(seed)).state
    assert state is not None
    for seat in {*state.to_act, seed % setting.seats}:
        rng = random.Random(seed)
        hidden = [*hidden_hands(state, seat), *state.talon]
        swap = swapping([card for card in hidden if card != state.turn_up], rng)
        twin = twin_state(state, swap)
        assert engine.legal_moves(twin, seat) == engine.legal_moves(state, seat)
        again = random.Random(seed)
        mine = list(answers(state, seat, again))
        again = random.Random(seed)
        assert list(answers(twin, seat, again)) == mine


@given(settings(), st.integers(0, 2**32))
def test_W08_a_move_is_told_alike_to_who_cannot_see_the_difference(
    setting: Setting, seed: int
) -> None:
    rng = random.Random(seed)
    game = moment(setting, rng)
    assert game.state is not None
    mover, move = any_turn(game.state, rng, setting.takes)
    viewer = rng.choice(viewers(setting.seats))
    events = engine.decide(game.state, mover, move, CHANCE)
    told_now = {card for event in events for card in cards_in(as_json(redact(event, viewer)))}
    hidden = [card for card in hidden_hands(game.state, viewer) if card not in told_now]
    twin = replace(game, state=twin_state(game.state, swapping(hidden, rng)))
    assert twin.state is not None
    # Whether a defender must beat depends on his hand, and he alone is told.
    assume(move.type != "take" or "take" in offered(twin.state, mover))
    others = engine.decide(twin.state, mover, move, CHANCE)
    for event, other in zip(events, others, strict=True):
        game, twin = games.evolve(game, event), games.evolve(twin, other)
        assert told(event, game, viewer) == told(other, twin, viewer)
        assert shown(game, viewer) == shown(twin, viewer)


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


def from_json(text: bytes) -> Any:
    return msgspec.json.decode(text)


def shown_by(event: Event, viewer: int | None, face_out: bool) -> set[str]:
    """The cards that an event lets the viewer see, by the rules of what lies open (B-30, W02)."""

    def sees(seat: int) -> bool:
        return viewer is not None and (seat == viewer) != face_out

    if isinstance(event, CardsDealt):
        return {card for seat, hand in enumerate(event.hands) if sees(seat) for card in hand}
    if isinstance(event, HandReplenished):
        return set(event.cards) if sees(event.seat) else {event.open_card or ""}
    return set() if isinstance(event, AttackerNamed) and face_out else cards_in(as_json(event))


@given(settings())
def test_W02_an_event_shows_nobody_a_card_that_he_cannot_know(setting: Setting) -> None:
    rules = setting.rules.rules
    for viewer in (None, setting.seed % setting.seats):
        told_so_far: set[str] = set()
        known: set[str] = set()
        drawn: set[str] = set()
        for event, game in log(setting):
            state = game.state
            if isinstance(event, CardsRedealt):
                told_so_far.clear()
                known.clear()
            if isinstance(event, TrumpTurned):
                drawn = set(event.drawn)
            known |= shown_by(event, viewer, rules.face_out)
            told_so_far |= cards_in(from_json(told(event, game, viewer)))
            assert told_so_far <= known
            if state is None or not state.hands:
                continue
            if not isinstance(event, CardsRedealt | CardsDealt):
                assert not told_so_far & (set(state.talon) - {state.turn_up} - drawn)
            if viewer is None:
                continue
            for seat, hand in enumerate(state.hands):
                if (seat == viewer) != rules.face_out:
                    assert set(to_cards(hand)) <= told_so_far


def test_twins_differ() -> None:
    setting = Setting(ruleset("throw_in"), 3, 1, 0.3)
    game = moment(setting, random.Random(4))
    assert game.state is not None
    others = [card for hand in game.state.hands[1:] for card in to_cards(hand)]
    twin = twin_state(game.state, swapping(others, random.Random(1)))
    assert twin.hands[0] == game.state.hands[0]
    assert twin.hands[1] != game.state.hands[1]


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
