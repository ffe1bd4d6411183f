"""Any game of any ruleset: tables for Hypothesis to draw, and random play on them."""

import os
import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec
from hypothesis import strategies as st

from games.rules import engine
from games.rules import game as games
from games.rules.engine import Pattern
from games.rules.errors import InvalidOptions
from games.rules.events import Event, GameCreated, PlayerJoined
from games.rules.game import Game
from games.rules.moves import Move
from games.rules.rulesets.registry import Ruleset, players_range, ruleset, ruleset_ids
from games.rules.shuffle import Entropy
from games.rules.state import FINISHED, State

T = TypeVar("T")

DIALS: dict[str, Sequence[Any]] = {
    "deck_size": (24, 32, 36, 52),
    "hand_size": (4, 5, 6, 7, 8),
    "first_attacker": ("lowest_trump", "random", "dealer_left"),
    "no_trump_first": ("dealer_left", "random", "redeal"),
    "first_dealer": ("lot", "last_seat"),
    "lead_max_cards": (1, 2, 3, 4),
    "throw_in": ("never", "on_take", "always"),
    "throw_in_scope": ("leader", "neighbours", "all"),
    "throw_in_batch": ("one", "many"),
    "throw_in_ranks": ("lead", "table"),
    "attack_limit": (None, 1, 2, 6, 52),
    "first_attack_limit": (None, 1, 5, 6),
    "first_limit_scope": ("first_bout", "until_first_discard"),
    "must_defend_if_able": (True, False),
    "transfer": (True, False),
    "transfer_first_bout": (True, False),
    "transfer_multi": (True, False),
    "refill_order": ("leader_clockwise_defender_last", "clockwise_from_leader"),
    "draw_allowed": (True, False),
    "repetition_draw": (None, 2, 3),
    "max_moves": (10, 60, 5000),
}


# How many moments of one game are looked at closely.
LOOKS = 12 if os.environ.get("HYPOTHESIS_PROFILE", "quick") == "quick" else 60


class Setting(NamedTuple):
    """A table, the seed of its chance, and how often a defender takes who could do otherwise."""

    rules: Ruleset
    seats: int
    seed: int
    takes: float


class Step(NamedTuple):
    """One move of a game: the state it was made in, by whom, and what it led to."""

    before: State
    seat: int
    move: Move
    events: tuple[Event, ...]
    after: State


class Logged(NamedTuple):
    """One event of a game's log and the game after it."""

    event: Event
    game: Game


@st.composite
def settings(draw: st.DrawFn) -> Setting:
    """Any ruleset with any options that go together, at a table of any size."""
    dials = {name: st.sampled_from(values) for name, values in DIALS.items()}
    options = draw(st.fixed_dictionaries({}, optional=dials))
    rules = compatible(draw(st.sampled_from(ruleset_ids())), options)
    low, high = players_range(rules.rules)
    return Setting(
        rules,
        draw(st.integers(low, high)),
        draw(st.integers(0, 2**32 - 1)),
        draw(st.sampled_from((0.0, 0.3, 0.9))),
    )


def compatible(ruleset_id: str, options: dict[str, Any]) -> Ruleset:
    """The ruleset with those of the options that go together."""
    left = dict(options)
    while True:
        try:
            return ruleset(ruleset_id, left)
        except InvalidOptions as error:
            for name in set(error.errors) & set(left) or set(left):
                del left[name]


def some(items: Iterable[T], setting: Setting) -> list[T]:
    """A few of the items in their order, the last one always."""
    found = list(items)
    if len(found) <= LOOKS:
        return found
    picked = random.Random(setting.seed).sample(range(len(found) - 1), LOOKS - 1)
    return [found[index] for index in (*sorted(picked), len(found) - 1)]


def entropy(setting: Setting) -> Entropy:
    """The chance of a game."""
    seeds = tuple(bytes([seat]) for seat in range(setting.seats))
    return Entropy(setting.seed.to_bytes(32, "big"), "game", seeds)


def start(setting: Setting) -> State:
    """The state before the first attack."""
    rules = setting.rules.rules
    events = engine.start(rules, setting.seats, entropy(setting))
    return engine.fold(State(rules=rules, seats=setting.seats), events)


def steps(setting: Setting, state: State | None = None) -> Iterator[Step]:
    """Random play from the deal, or from `state`, to the end."""
    state = state or start(setting)
    rng = random.Random(setting.seed)
    while state.phase != FINISHED:
        seat = state.to_act[0]
        move = any_move(state, seat, rng, setting.takes)
        events = engine.decide(state, seat, move)
        after = engine.fold(state, events)
        yield Step(state, seat, move, events, after)
        state = after


def any_move(state: State, seat: int, rng: random.Random, takes: float = 0.3) -> Move:
    """A random legal move."""
    patterns = engine.legal_moves(state, seat)
    if any(pattern.type == "take" for pattern in patterns) and rng.random() < takes:
        return Move("take")
    return chosen(rng.choice(patterns), rng)


def chosen(pattern: Pattern, rng: random.Random) -> Move:
    """A random choice within a pattern."""
    if pattern.cards is None:
        return Move(pattern.type)
    count = rng.randint(pattern.min or 1, pattern.max or 1)
    cards = tuple(rng.sample(pattern.cards, count))
    return Move(pattern.type, cards=cards, target=pattern.target)


def opening(setting: Setting) -> tuple[Event, ...]:
    """The events until everybody sits at the table."""
    rules = setting.rules
    created = GameCreated(
        ruleset=rules.id,
        options=rules.options,
        rules=msgspec.structs.asdict(rules.rules),
        ruleset_sha256=rules.sha256,
        seats=setting.seats,
        creator="0",
        rated=False,
        visibility="public",
        auto_start=True,
        match="match",
        game_number=1,
        commitment="ab" * 32,
        chain_commitment="cd" * 32,
    )
    joined = [
        PlayerJoined(seat=seat, player=str(seat), kind="human") for seat in range(setting.seats)
    ]
    return (created, *joined)


def log(setting: Setting) -> Iterator[Logged]:
    """Every event of a game from the opened table to the end, with the game after it."""
    game: Game | None = None
    dealt = engine.start(setting.rules.rules, setting.seats, entropy(setting))
    for event in (*opening(setting), *dealt):
        game = games.evolve(game, event)
        yield Logged(event, game)
    for step in steps(setting):
        for event in step.events:
            game = games.evolve(game, event)
            yield Logged(event, game)
