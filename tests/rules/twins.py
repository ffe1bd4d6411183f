"""Twins: two games whose logs differ only in cards that one viewer has not seen."""

import random
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

import msgspec
from hypothesis import assume
from msgspec.structs import replace

from games.rules import engine
from games.rules import game as games
from games.rules.cards import CARDS, pack, to_cards, to_set
from games.rules.engine import AnyState
from games.rules.errors import Refusal
from games.rules.events import Event, GameFinished
from games.rules.game import Game
from games.rules.moves import Move
from games.rules.rulesets.registry import ruleset
from games.rules.rulesets.schema import is_face_out
from games.rules.shedding.state import SheddingState
from games.rules.shuffle import Entropy
from games.rules.state import State
from games.rules.views import Sitter, next_for, redact, view_for
from games.store.codec import decode_event, encode_event
from tests.rules.playing import Logged, Setting, any_turn, log, some
from tests.rules.tries import every_move

Swap = Mapping[str, str]
S = TypeVar("S", State, SheddingState)
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
    return from_json(msgspec.json.encode(value))


def from_json(text: bytes) -> Any:
    return msgspec.json.decode(text)


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


def twin_state(state: S, swap: Swap) -> S:
    """The state with other cards in hands, talon and memory."""

    def other(cards: int) -> int:
        return to_set(swap.get(card, card) for card in to_cards(cards))

    hands = tuple(other(hand) for hand in state.hands)
    talon = tuple(swap.get(card, card) for card in state.talon)
    if isinstance(state, SheddingState):
        return replace(state, hands=hands, talon=talon)
    return replace(
        state,
        hands=hands,
        talon=talon,
        slots=tuple(tuple(card and swap.get(card, card) for card in hand) for hand in state.slots),
        seen=tuple((seat, *(other(hand) for hand in hands)) for seat, *hands in state.seen),
    )


def hidden_hands(state: AnyState, viewer: int | None) -> list[str]:
    """Cards in hands that the viewer does not see: others' hands, or face out his own."""
    exposed = state.exposed if isinstance(state, State) else 0
    return [
        card
        for seat, hand in enumerate(state.hands)
        if viewer is None or (seat == viewer) == is_face_out(state.rules)
        for card in to_cards(hand & ~exposed)
    ]


def viewers(seats: int) -> tuple[int | None, ...]:
    return (None, *range(seats))


def answers(state: AnyState, seat: int, rng: random.Random) -> Iterator[tuple[Move, str | None]]:
    """Every move with the code that refuses it, or None."""
    for move in every_move(state, seat, rng):
        try:
            engine.decide(state, seat, move, CHANCE)
        except Refusal as refusal:
            yield move, refusal.code
        else:
            yield move, None


def is_accepted(state: AnyState, seat: int, move: Move) -> bool:
    """Whether the rules let a seat make a move."""
    try:
        engine.decide(state, seat, move, CHANCE)
    except Refusal:
        return False
    return True


def moment(setting: Setting, rng: random.Random) -> Game:
    """The game at a random moment between two moves."""
    between = [game for event, game in log(setting) if event.next is not None]
    return rng.choice(between[:-1])


def assert_logs_look_alike(setting: Setting, rng: random.Random) -> None:
    """Play a game and its twin from their logs: the viewer is shown and told the same."""
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


def assert_answered_alike(setting: Setting, seed: int) -> None:
    """At a random moment every move is offered, accepted and refused alike in both twins."""
    state = moment(setting, random.Random(seed)).state
    assert state is not None
    for seat in {*state.to_act, seed % setting.seats}:
        rng = random.Random(seed)
        hidden = [*hidden_hands(state, seat), *state.talon]
        turn_up = state.turn_up if isinstance(state, State) else None
        swap = swapping([card for card in hidden if card != turn_up], rng)
        twin = twin_state(state, swap)
        assert engine.legal_moves(twin, seat) == engine.legal_moves(state, seat)
        again = random.Random(seed)
        mine = list(answers(state, seat, again))
        again = random.Random(seed)
        assert list(answers(twin, seat, again)) == mine


def assert_told_alike(setting: Setting, seed: int) -> None:
    """A move is told and shown alike in both twins to who cannot see the difference."""
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
    if isinstance(game.state, SheddingState) or move.type == "take":
        # Whether these are allowed depends on the mover's hand, and he alone is told.
        assume(is_accepted(twin.state, mover, move))
    others = engine.decide(twin.state, mover, move, CHANCE)
    last = events[-1]
    # What is counted at the end lies open.
    assume(not isinstance(last, GameFinished) or last.result.points is None)
    for event, other in zip(events, others, strict=True):
        game, twin = games.evolve(game, event), games.evolve(twin, other)
        assert told(event, game, viewer) == told(other, twin, viewer)
        assert shown(game, viewer) == shown(twin, viewer)


def assert_twins_differ(ruleset_id: str) -> None:
    """Two hands exchanged with each other are not those of the game, nor is a third touched."""
    game = moment(Setting(ruleset(ruleset_id), 3, 1, 0.3), random.Random(4))
    assert game.state is not None
    others = [card for hand in game.state.hands[1:] for card in to_cards(hand)]
    twin = twin_state(game.state, swapping(others, random.Random(1)))
    assert twin.hands[0] == game.state.hands[0]
    assert twin.hands[1] != game.state.hands[1]
