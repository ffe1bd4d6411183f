"""Any game of any ruleset: tables for Hypothesis to draw, and random play on them."""

import os
import random
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
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
from games.rules.rulesets.registry import Ruleset, ruleset, ruleset_ids
from games.rules.shuffle import Entropy
from games.rules.state import FINISHED, State

T = TypeVar("T")

# Of options that do not go together the one named last gives way.
DIALS: dict[str, Sequence[Any]] = {
    "deck_size": (24, 32, 36, 52),
    "hand_size": (4, 5, 6, 7, 8),
    "teams": ("none", "pairs", "triples"),
    "deal_mode": ("talon", "talon", "full"),
    "face_out": (False, False, True),
    "enforcement": ("strict", "catchable"),
    "throw_in": ("never", "on_take", "always"),
    "transfer": (True, False),
    "trump_suit": ("S", "H", "D", "C"),
    "trump_source": ("turn_up", "last_dealt", "fixed_suit", "draw_until_suit", "none"),
    "trump_exchange": ("none", "six_for_ace", "six_for_any"),
    "self_only_suit": (None, "S", "H", "D", "C"),
    "self_only_suit_is_trump": ("redraw", "rule_off"),
    "lowest_trump_beats_trump_ace": (True, False),
    "redeal_on_bad_hand": ("none", "five_of_suit"),
    "first_attacker": ("lowest_trump", "random", "dealer_left"),
    "no_trump_first": ("dealer_left", "random", "redeal"),
    "next_first_attacker": (
        *("lowest_trump", "previous_winner"),
        *("attack_the_fool", "from_under_fool"),
    ),
    "first_dealer": ("lot", "last_seat"),
    "next_dealer": ("loser", "rotate"),
    "lead_max_cards": (1, 2, 3, 4),
    "throw_in_scope": ("leader", "neighbours", "all"),
    "throw_in_timing": ("after_all_beaten", "anytime"),
    "throw_in_batch": ("one", "many"),
    "throw_in_ranks": ("lead", "table"),
    "attack_limit": (None, 1, 2, 6, 52),
    "first_attack_limit": (None, 1, 5, 6),
    "first_limit_scope": ("first_bout", "until_first_discard"),
    "must_defend_if_able": (True, False),
    "transfer_first_bout": (True, False),
    "transfer_multi": (True, False),
    "transfer_by_showing_trump": (True, False),
    "refill_order": ("leader_clockwise_defender_last", "clockwise_from_leader"),
    "draw_allowed": (True, False),
    "epaulettes": (True, False),
    "discard_visibility": ("count", "full"),
    "repetition_draw": (None, 2, 3),
    "max_moves": (5000, 60, 10),
}
SHEDDING_DIALS: dict[str, Sequence[Any]] = {
    "deck_size": (32, 36, 52),
    "deal": (3, 4, 5, 6, 7),
    "starter": ("none", "dealer_last_card", "deck_top"),
    "starter_effect": (True, False),
    "first_player": ("random", "dealer_left"),
    "next_first": ("winner", "dealer_left"),
    "match": ("suit_or_rank", "suit_only"),
    "rank_match_only": ((), ("7",), ("A", "Q")),
    "wild": ("Q", "J", None),
    "wild_condition": ("always", "only_if_stuck"),
    "wild_blocked_on": ((), ("7", "A"), ("Q", "8")),
    "order_skips_next": (True, False),
    "effects": (
        {},
        {"A": {"draw": 0, "skip": 2}, "8": {"draw": 3, "skip": 0}, "QS": {"draw": 1, "skip": 1}},
        {"7": {"draw": 2, "skip": 1}, "K": {"draw": 0, "skip": 1}, "KH": {"draw": 10, "skip": 5}},
    ),
    "stacking": ("none", "same_rank"),
    "multi_play": ({}, {"A": (3, 4)}, {"A": (2, 4), "7": (2,), "Q": (2, 3), "K": (4,)}),
    "ace_multi": ("per_ace_capped", "single"),
    "ace_chain": ("none", "english"),
    "draw_rule": ("one", "until_playable"),
    "drawn_card": ("may_play", "must_play"),
    "draw_until_recycles": (True, False),
    "recycle": ("flip", "shuffle"),
    "end": ("first_out", "last_holder"),
    "last_card_effect": (True, False),
    "points": (None, {"A": 20}, {"QS": 13, "K": 0}),
    "lone_wild_penalty": (0, 25),
    "finish_wild_bonus": (0, 10, {"Q": 20, "QS": 40}),
    "wild_left_loses": (True, False),
    "match_target": (None, 101),
    "exact_target_resets": (True, False),
    "stalemate": ("draw", "count_points"),
    "max_moves": (5000, 300, 30),
    "next_dealer": ("loser", "rotate", "winner"),
    "first_dealer": ("lot", "last_seat"),
}
# How often somebody calls a wrong card that lies on the table.
CALLS = 0.2


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

    before: Any
    seat: int
    move: Move
    events: tuple[Event, ...]
    after: Any


class Logged(NamedTuple):
    """One event of a game's log and the game after it."""

    event: Event
    game: Game


def settings() -> st.SearchStrategy[Setting]:
    """Any bout ruleset with any options that go together, at a table of any size."""
    return _settings("bout", DIALS)


def shedding_settings() -> st.SearchStrategy[Setting]:
    """The same of shedding rulesets."""
    return _settings("shedding", SHEDDING_DIALS)


@st.composite
def _settings(draw: st.DrawFn, family: str, of: dict[str, Sequence[Any]]) -> Setting:
    dials = {name: st.sampled_from(values) for name, values in of.items()}
    options = draw(st.fixed_dictionaries({}, optional=dials))
    ruleset_id = draw(st.sampled_from(ruleset_ids(family)))
    seats = draw(st.sampled_from(table_sizes(ruleset_id)))
    return Setting(
        compatible(ruleset_id, options, seats),
        seats,
        draw(st.integers(0, 2**32 - 1)),
        draw(st.sampled_from((0.0, 0.3, 0.9))),
    )


@lru_cache
def table_sizes(ruleset_id: str) -> list[int]:
    """How many may play a ruleset as it stands."""
    return [seats for seats in range(2, 7) if is_playable(ruleset_id, seats)]


def is_playable(ruleset_id: str, seats: int) -> bool:
    """Whether a ruleset as it stands can be played by so many."""
    try:
        ruleset(ruleset_id, {}, seats)
    except InvalidOptions:
        return False
    return True


def compatible(ruleset_id: str, options: dict[str, Any], seats: int | None = None) -> Ruleset:
    """The ruleset with those of the options that go together."""
    left = dict(options)
    while True:
        try:
            return ruleset(ruleset_id, left, seats)
        except InvalidOptions as error:
            named = [name for name in (*DIALS, *SHEDDING_DIALS) if name in left]
            *_, last = [name for name in named if name in error.errors] or named
            del left[last]


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


def start(setting: Setting) -> Any:
    """The state before the first move."""
    rules = setting.rules.rules
    events = engine.start(rules, setting.seats, entropy(setting))
    return engine.fold(engine.empty_state(rules, setting.seats), events)


def steps(setting: Setting, state: Any = None) -> Iterator[Step]:
    """Random play from the deal, or from `state`, to the end."""
    state = state or start(setting)
    rng, chance = random.Random(setting.seed), entropy(setting)
    while state.phase != FINISHED:
        seat, move = any_turn(state, rng, setting.takes)
        events = engine.decide(state, seat, move, chance)
        after = engine.fold(state, events)
        yield Step(state, seat, move, events, after)
        state = after


def any_turn(state: engine.AnyState, rng: random.Random, takes: float = 0.3) -> tuple[int, Move]:
    """A random legal move of anybody who may act; now and then a call, if there is a reason."""
    plays = state.plays if isinstance(state, State) else ()
    wrong = [play for play in plays if play.wrong]
    if wrong and rng.random() < CALLS:
        play = rng.choice(wrong)
        caller = rng.choice([seat for seat in range(state.seats) if seat != play.seat])
        return caller, Move("call", cards=(play.card,))
    seat = rng.choice(state.to_act)
    return seat, any_move(state, seat, rng, takes)


def any_move(state: engine.AnyState, seat: int, rng: random.Random, takes: float = 0.3) -> Move:
    """A random legal move of a seat that is to act, but no call."""
    patterns = [pattern for pattern in engine.legal_moves(state, seat) if pattern.type != "call"]
    if any(pattern.type == "take" for pattern in patterns) and rng.random() < takes:
        return Move("take")
    return chosen(rng.choice(patterns), rng)


def chosen(pattern: Pattern, rng: random.Random) -> Move:
    """A random choice within a pattern."""
    count = rng.randint(pattern.min or 0, pattern.max or 0)
    first = [rng.choice(pattern.first)] if pattern.first else []
    rest = [card for card in pattern.cards or () if card not in first]
    named = pattern.suits and (pattern.suits if pattern.suit_required else (None, *pattern.suits))
    return Move(
        pattern.type,
        cards=(*first, *rng.sample(rest, count - len(first) if pattern.cards else 0)),
        slots=tuple(rng.sample(pattern.slots or (), count if pattern.slots else 0)),
        target=pattern.target,
        suit=rng.choice(named) if named else None,
    )


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
