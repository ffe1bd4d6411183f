"""The shedding engine against a second reading of the rulebook, in random games of every kind.

A short look by default. ``REFERENCE_PLIES=100000 pytest tests/rules/test_reference_shedding.py``
takes a long one, and ``REFERENCE_SEED`` other games; a disagreement names the game's seed and is
told as a call of the referee.
"""

import os
import random
from collections import Counter
from typing import Any

import msgspec
import pytest

from games.rules import engine
from games.rules.rulesets.registry import Ruleset, ruleset, ruleset_ids
from games.rules.shuffle import Entropy
from games.rules.views import reveal
from tests.cases import CASES, Case, start_of
from tests.reference.shedding import Table
from tests.reference.shedding.chance import any_move, any_ruleset, near_the_end
from tests.reference.shedding.dealing import next_dealer, next_first
from tests.reference.shedding.duel import Duel, dials
from tests.reference.shedding.rulesets import DEFAULTS, PRESETS, options_of
from tests.reference.trial import assert_goes_as_recorded, played_in_two_readings

PLIES = int(os.environ.get("REFERENCE_PLIES", "3000"))
FIRST_SEED = int(os.environ.get("REFERENCE_SEED", "0"))
SHEDDING = [case for case in CASES if case["family"] == "shedding"]
Json = dict[str, Any]


def full_tables() -> list[tuple[str, int]]:
    """Every preset with every number of players for whom a card is left to draw."""
    dealt = {name: options_of(name) for name in PRESETS}
    return [
        (name, players)
        for name, options in dealt.items()
        for players in range(2, 7)
        if players * options["deal"] < options["deck_size"]
    ]


@pytest.mark.parametrize("case", SHEDDING, ids=lambda case: case["id"])
def test_a_case_by_the_reference_alone(case: Case) -> None:
    table = Table(start_of(case), options_of(case["ruleset"], **case["options"]))
    assert_goes_as_recorded(table, case)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_by_the_reference_alone(name: str) -> None:
    engine_says = msgspec.json.decode(msgspec.json.encode(dials(ruleset(name))))
    assert engine_says == DEFAULTS | PRESETS[name] | {"points": engine_says["points"]}
    ranks = "23456789TJQKA"
    points = options_of(name)["points"]
    assert {rank: engine_says["points"].get(rank, 0) for rank in ranks} == {
        rank: points.get(rank, 0) for rank in ranks
    }


def test_random_games_in_two_readings() -> None:
    played = played_in_two_readings(
        lambda seed: play_a_game(any_duel(random.Random(seed)), random.Random(seed)),
        FIRST_SEED,
        PLIES,
    )
    assert set(played) == {"play", "draw", "pass", "name_suit"}


@pytest.mark.parametrize(("name", "players"), full_tables())
def test_a_game_of_every_preset_in_two_readings(name: str, players: int) -> None:
    rng = random.Random(f"{name} {players} {FIRST_SEED}")
    duel = Duel.dealt(ruleset(name, {}, players), players, rng)
    assert play_a_game(duel, rng, plies=40)["play"] > 0


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("next_dealer_is", ["loser", "winner", "rotate"])
def test_the_next_game_in_two_readings(name: str, next_dealer_is: str) -> None:
    rng = random.Random(f"{name} {next_dealer_is} {FIRST_SEED}")
    chosen = ruleset(name, {"next_dealer": next_dealer_is}, 4)
    for _ in range(10):
        dealer, durak, winner = rng.randrange(4), *rng.sample([0, 1, 2, 3, None, None], 2)
        previous = {"dealer": dealer, "durak": durak, "winner": winner, "draw": False}
        dealt_by, first = who_begins(chosen, previous, rng)
        assert dealt_by == next_dealer(previous, 4, dials(chosen))
        expected = next_first(previous, dealt_by, 4, dials(chosen))
        assert expected in (first, None)


def test_the_presets_are_those_of_the_engine() -> None:
    assert list(ruleset_ids("shedding")) == list(PRESETS)


def any_duel(rng: random.Random) -> Duel:
    """Half of the games start from the deal, half of them near their end."""
    chosen, players = any_ruleset(rng)
    if rng.random() < 0.5:
        return dealt(chosen, players, rng)
    return Duel.placed(chosen, near_the_end(rng, dials(chosen), players), rng)


def dealt(chosen: Ruleset, players: int, rng: random.Random) -> Duel:
    """A game from its deal on, more often than by chance one that a wild card opens."""
    deals = rng.choice([1, 1, 10])
    for _ in range(deals):
        duel = Duel.dealt(chosen, players, rng)
        if duel.table.phase == "name_suit":
            break
    return duel


def who_begins(chosen: Ruleset, previous: Json, rng: random.Random) -> tuple[int, int]:
    """Dealer and first player of a match's next game, as the engine's events tell."""
    entropy = Entropy(rng.randbytes(32), "next", (b"",) * 4)
    started = engine.start(chosen.rules, 4, entropy, engine.Previous(**previous))
    told = {event["type"]: event for event in map(reveal, started)}
    return told["game_started"]["data"]["dealer"], told["first_player_named"]["seat"]


def play_a_game(duel: Duel, rng: random.Random, plies: int = 200) -> Counter[str]:
    """A random game, as far as it goes: how often each type of move was made."""
    idleness = rng.choice([0.1, 0.3, 0.6])
    played: Counter[str] = Counter()
    while duel.table.result is None and played.total() < plies:
        played[next_ply(duel, rng, idleness)] += 1
    for _ in range(4):
        duel.compare_refusal(*any_move(rng, duel.table))
    return played


def next_ply(duel: Duel, rng: random.Random, idleness: float) -> str:
    """Compare what is allowed and what is not, make a move in both readings, and compare again."""
    moves = duel.compare_moves(duel.table.to_act)
    bystander = rng.randrange(duel.table.seats)
    if bystander != duel.table.to_act:
        assert duel.compare_moves(bystander) == []
    for _ in range(3):
        duel.compare_refusal(*any_move(rng, duel.table))
    move = choose(rng, moves, idleness)
    if rng.random() < 0.2:
        duel.compare_referee(duel.table.to_act, move)
    duel.play(duel.table.to_act, move)
    return str(move["type"])


def choose(rng: random.Random, moves: list[Json], idleness: float) -> Json:
    """A type of move first, mostly a play, and several cards at once where that can be."""
    types = sorted({move["type"] for move in moves})
    if "play" in types and rng.random() > idleness:
        types = ["play"]
    wanted = rng.choice(types)
    alike = [move for move in moves if move["type"] == wanted]
    several = [move for move in alike if len(move.get("cards", [])) > 1]
    return rng.choice(several if several and rng.random() < 0.5 else alike)
