"""The simulator beside the rules engine: the same game in both, and how they compare."""

import random

from bots.brains.search.claims import is_claimed
from bots.brains.search.compiled import layout as at
from bots.brains.search.compiled.layout import ATTACK, DEFEND, DRAW, OVER, TAKE, THROW_IN
from bots.brains.search.simulator import Plan, Sim
from games.rules import engine
from games.rules.cards import to_cards
from games.rules.moves import Move
from games.rules.rulesets.registry import Ruleset, player_counts, ruleset, ruleset_ids
from games.rules.shuffle import Entropy
from games.rules.state import State

PHASES = {ATTACK: "attack", DEFEND: "defend", THROW_IN: "throw_in", TAKE: "take", OVER: "finished"}


def dealt(rules: Ruleset, seats: int, seed: int) -> State:
    """The engine's state at the first move."""
    entropy = Entropy(seed.to_bytes(32, "big"), "mirror", (b"",) * seats)
    empty = engine.empty_state(rules.rules, seats)
    state = engine.fold(empty, engine.start(rules.rules, seats, entropy))
    assert isinstance(state, State)
    return state


def simulated(state: State) -> Sim:
    """The simulator at the same first move."""
    plan = Plan(state.rules, state.seats, state.trump)
    bit = plan.deck.bit
    hands = [sum(bit[card] for card in to_cards(hand)) for hand in state.hands]
    talon = [bit[card] for card in reversed(state.talon)]
    assert state.attacker is not None
    return Sim.at_start(plan, hands, talon, state.attacker)


def move_of(sim: Sim, action: int) -> Move:
    """The engine's move that an action is."""
    cards = tuple(sim.plan.deck.cards(abs(action)))
    if sim.phase == ATTACK:
        return Move("attack", cards=cards)
    if action < 0:
        return Move("transfer", cards=cards)
    if sim.phase == DEFEND:
        if not action:
            return Move("take")
        target = sim.plan.deck.card[sim.open & -sim.open]
        return Move("beat", cards=cards, target=target)
    return Move("throw_in", cards=cards) if action else Move("pass")


def assert_alike(sim: Sim, state: State) -> None:
    """Both hold the same position."""
    deck = sim.plan.deck
    assert PHASES[sim.phase] == state.phase
    assert [sorted(deck.cards(hand)) for hand in sim.hands] == [
        sorted(to_cards(hand)) for hand in state.hands
    ]
    assert [deck.card[bit] for bit in reversed(sim.talon)] == list(state.talon)
    assert {seat for seat in range(state.seats) if seat not in sim.alive} == set(state.out)
    if state.result is not None:
        assert sim.durak == (DRAW if state.result.draw else state.result.durak)
        return
    assert sim.durak is None
    assert (sim.actor,) == state.to_act
    assert (sim.attacker, sim.defender) == (state.attacker, state.defender)
    assert (sim.numbers[at.COUNT], sim.numbers[at.LIMIT]) == (len(state.table), state.limit)
    assert sorted(deck.cards(sim.open)) == sorted(p.attack for p in state.table if not p.beat)


def claimed() -> list[tuple[str, int]]:
    """The presets that the simulator plays, each with every table size."""
    presets = [(name, seats) for name in ruleset_ids("bout") for seats in player_counts(name)]
    return [(name, seats) for name, seats in presets if is_claimed(ruleset(name).rules)]


def any_action(sim: Sim, rng: random.Random) -> int:
    """A random action, leads of several cards among them; seldom a take."""
    actions = sim.choices()
    action = rng.choice(actions)
    if not action and len(actions) > 1 and rng.random() < 0.6:
        action = rng.choice([other for other in actions if other])
    return action


def halfway(name: str, seats: int, seed: int) -> Sim:
    """A position somewhere in a random game."""
    rng = random.Random(seed)
    sim = simulated(dealt(ruleset(name, players=seats), seats, seed))
    for _ in range(rng.randrange(60)):
        after = sim.clone()
        after.step(any_action(sim, rng))
        if after.durak is not None:
            break
        sim = after
    return sim
