"""Any move of the rules on the simulator: several cards at once, any open card beaten."""

import random

import msgspec
import pytest

from bots.brains.search.laying import lay
from games.rules import engine
from games.rules.moves import parse_move
from games.rules.rulesets.registry import ruleset
from tests.bots.brains.search.mirror import assert_alike, dealt, simulated
from tests.tables import choose

TABLES = [("throw_in", 2), ("throw_in", 4), ("transfer", 3), ("simple", 3), ("online_transfer", 4)]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_every_move_leads_to_the_same_position(name: str, seats: int) -> None:
    several = 0
    for seed in range(12):
        rng = random.Random(seed)
        state = dealt(ruleset(name, players=seats), seats, seed)
        sim = simulated(state)
        while state.result is None and state.moves < 150:
            seat = state.to_act[0]
            body = choose(msgspec.to_builtins(engine.legal_moves(state, seat)), rng)
            move = parse_move("bout", body)
            lay(sim, {"type": move.type, "cards": move.cards, "target": move.target})
            state = engine.play(state, seat, move).state
            assert_alike(sim, state)
            several += len(move.cards) > 1
    assert several or name == "simple"
