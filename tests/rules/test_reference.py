"""The engine against a second reading of the rulebook, in random games of every kind.

A short look by default. ``REFERENCE_PLIES=100000 pytest tests/rules/test_reference.py`` takes a
long one, and ``REFERENCE_SEED`` other games; a disagreement names the game's seed and is told as a
call of the referee.
"""

import os
import random
from collections import Counter
from typing import Any

import msgspec
import pytest

from games.rules.rulesets.registry import ruleset, ruleset_ids
from tests.cases import Case, playable, start_of
from tests.reference import Table, why_not
from tests.reference.chance import any_move, any_ruleset, near_the_end
from tests.reference.duel import Duel
from tests.reference.trial import assert_goes_as_recorded, played_in_two_readings

PLIES = int(os.environ.get("REFERENCE_PLIES", "3000"))
FIRST_SEED = int(os.environ.get("REFERENCE_SEED", "0"))
PLIES_A_GAME = 150
BOUT = [case for case in playable() if case["family"] == "bout"]
Turn = tuple[int, dict[str, Any]]


@pytest.mark.parametrize("case", BOUT, ids=lambda case: case["id"])
def test_a_case_by_the_reference_alone(case: Case) -> None:
    rules = ruleset(case["ruleset"], case["options"], len(case["hands"])).rules
    table = Table(start_of(case), msgspec.structs.asdict(rules))
    assert_goes_as_recorded(table, case)


def test_random_games_in_two_readings() -> None:
    played = played_in_two_readings(
        lambda seed: play_a_game(random.Random(seed)), FIRST_SEED, PLIES
    )
    assert set(played) >= {"attack", "beat", "throw_in", "transfer", "take", "pass", "call"}


@pytest.mark.parametrize("name", ruleset_ids("bout"))
def test_the_first_moves_of_every_ruleset_in_two_readings(name: str) -> None:
    rng = random.Random(name)
    players = 4
    duel = Duel.dealt(ruleset(name, {}, players), players, rng)
    assert sum(1 for _ in range(15) if next_ply(duel, rng, 0.3)) == 15


def play_a_game(rng: random.Random) -> Counter[str]:
    """A random game, as far as it goes: how often each type of move was made."""
    duel = any_duel(rng)
    idleness = rng.choice([0.1, 0.3, 0.6, 1])
    played: Counter[str] = Counter()
    while duel.table.result is None and played.total() < PLIES_A_GAME:
        played[next_ply(duel, rng, idleness)] += 1
    for _ in range(4):
        duel.compare_refusal(*any_move(rng, duel.table))
    return played


def any_duel(rng: random.Random) -> Duel:
    """Half of the games start from the deal, half of them near their end."""
    chosen, players = any_ruleset(rng)
    if rng.random() < 0.5:
        return Duel.dealt(chosen, players, rng)
    options = msgspec.structs.asdict(chosen.rules)
    return Duel.placed(chosen, near_the_end(rng, options, players), rng)


def next_ply(duel: Duel, rng: random.Random, idleness: float) -> str:
    """Compare what is allowed and what is not, make a move in both readings, and compare again."""
    turns = allowed_turns(duel, rng)
    for _ in range(3):
        duel.compare_refusal(*any_move(rng, duel.table))
    right_calls = rightful_calls(duel.table)
    if right_calls and rng.random() < 0.2:
        turns = right_calls
    seat, move = choose(rng, turns, idleness)
    duel.play(seat, move)
    return str(move["type"])


def allowed_turns(duel: Duel, rng: random.Random) -> list[Turn]:
    """What both readings allow; now and then somebody who is not to act is asked as well."""
    largest = max(len(hand) for hand in duel.table.hands)
    most = 4 if largest <= 9 else 3 if largest <= 13 else 2
    to_act = duel.table.to_act()
    bystander = rng.randrange(duel.table.seats)
    if bystander not in to_act:
        assert duel.compare_moves(bystander, most) == []
    return [(seat, move) for seat in to_act for move in duel.compare_moves(seat, most)]


def rightful_calls(table: Table) -> list[Turn]:
    """Every call that is not unfounded."""
    seats = range(table.seats)
    calls = [(seat, card) for seat in seats for card in table.callable_cards(seat)]
    turns = [(seat, {"type": "call", "cards": [card]}) for seat, card in calls]
    return [(seat, move) for seat, move in turns if why_not(table, seat, move) is None]


def choose(rng: random.Random, turns: list[Turn], idleness: float) -> Turn:
    """A type of move first, so that rare ones come up; mostly something better than idleness."""
    types = sorted({move["type"] for _, move in turns})
    busy = [name for name in types if name not in ("take", "pass")]
    if busy and rng.random() > idleness:
        types = busy
    wanted = rng.choice(types)
    return rng.choice([(seat, move) for seat, move in turns if move["type"] == wanted])
