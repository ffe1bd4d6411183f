"""What a seat knows, and the deals that it holds possible."""

import random
from collections import Counter
from contextlib import suppress
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.brains.search.knowledge import Knowledge, chance_of
from bots.brains.search.retold import Retold
from bots.table import Table
from games.rules import engine
from games.rules.cards import RANK, pack, to_cards
from games.rules.errors import Refusal
from games.rules.events import (
    AttackerNamed,
    BoutTaken,
    CardBeaten,
    DiscardRecycled,
    WrongPlayCalled,
)
from games.rules.rulesets.registry import Ruleset, player_counts, ruleset, ruleset_ids
from tests.bots.brains.search.mirror import assert_alike, claimed
from tests.bots.brains.search.worlds import drawn_cards, go_on, halfway, hand_of, seen_by, step

SEEDS = st.integers(0, 1 << 64)
CLAIMED = st.sampled_from(claimed())
EVERY = st.sampled_from([(name, n) for name in ruleset_ids() for n in player_counts(name)])
EXCEPT = {"hands", "talon", "moves", "seen", "slots", "slot_base", "lowest_trump_owner"}


def knowledge_of(table: Table) -> Knowledge:
    """What the seat to act knows."""
    seat = table.to_act[0]
    return Knowledge(table.view(seat), table.history(seat))


@settings(max_examples=60, deadline=None)
@given(place=CLAIMED, seed=SEEDS)
def test_the_true_deal_is_possible_and_is_the_position(place: tuple[str, int], seed: int) -> None:
    table = halfway(*place, seed)
    known, state = knowledge_of(table), table.game.state
    bit = known.plan.deck.bit
    hands = [sum(bit[card] for card in to_cards(hand)) for hand in state.hands]
    talon = [bit[card] for card in reversed(state.talon)]
    assert_alike(known.truth(hands, talon), state)
    for seat, hand in enumerate(hands):
        assert hand & known.known[seat] == known.known[seat]
        assert (hand & ~known.known[seat]).bit_count() == known.hidden[seat]
    assert set(known.unseen) >= {
        one for hand, sure in zip(hands, known.known, strict=True) for one in bits(hand & ~sure)
    }
    assert known.bottom in (0, *talon[:1])


def bits(cards: int) -> list[int]:
    return [1 << place for place in range(cards.bit_length()) if cards >> place & 1]


@settings(max_examples=60, deadline=None)
@given(place=CLAIMED, seed=SEEDS)
def test_every_deal_agrees_with_all_that_was_told(place: tuple[str, int], seed: int) -> None:
    table = halfway(*place, seed)
    seat, known = table.to_act[0], knowledge_of(table)
    chance, card = chance_of(random.Random(seed)), known.plan.deck.cards
    everything = set(pack(table.ruleset.rules.deck_size))
    gone = everything - set(to_cards(sum(table.game.state.hands))) - set(table.game.state.talon)
    for _ in range(4):
        sim = known.deal(chance)
        hands = [set(card(hand)) for hand in sim.hands]
        assert hands[seat] == hand_of(table, seat)
        assert [len(h) for h in hands] == [h.bit_count() for h in table.game.state.hands]
        assert len(sim.talon) == len(table.game.state.talon)
        placed = [*(c for h in hands for c in h), *(card(one)[0] for one in sim.talon)]
        assert sorted(placed) == sorted(everything - gone)
        # A card whose face was shown lies where it really is, unless it went back unseen.
        for other, held in enumerate(hands):
            shown = hand_of(table, other) & seen_by(table, seat) - went_back(table)
            assert shown <= held
        if table.game.state.turn_up:
            assert card(sim.talon[0]) == [table.game.state.turn_up]
        assert_first_attacker(table, hands)


def went_back(table: Table) -> set[str]:
    """Cards turned up before the trump, which were shuffled back into the talon."""
    return {card for event in table.events for card in getattr(event, "drawn", ())}


def assert_first_attacker(table: Table, hands: list[set[str]]) -> None:
    """Nobody can have been dealt a trump lower than the one that began the game."""
    named = next(event for event in table.events if isinstance(event, AttackerNamed))
    if named.card is None or named.reason != "lowest_trump":
        return
    played = laid_by_seat(table)
    for seat, held in enumerate(hands):
        own = (held | played[seat]) - taken_by(table, seat)
        lower = {c for c in own if c[1] == named.card[1] and RANK[c] < RANK[named.card]}
        assert len(lower) <= len(drawn_cards(table, seat))


def taken_by(table: Table, seat: int) -> set[str]:
    """The cards that a seat took off the table."""
    taken = [e for e in table.events if isinstance(e, BoutTaken) and e.seat == seat]
    return {card for event in taken for card in event.cards}


def laid_by_seat(table: Table) -> dict[int, set[str]]:
    """The cards that each seat laid in this game."""
    laid: dict[int, set[str]] = {seat: set() for seat in range(len(table.sitters))}
    for event in table.events:
        if type(event).__name__ in ("BoutOpened", "CardBeaten", "CardsThrownIn", "BoutTransferred"):
            laid[event.seat] |= set(getattr(event, "cards", None) or (event.card,))
    return laid


def test_hidden_hands_are_drawn_uniformly() -> None:
    """Chi-square over the two-card subsets of a seat's first hand, 276 of equal chance."""
    table = halfway("throw_in", 2, 1, most=1)
    known, chance = knowledge_of(table), chance_of(random.Random(1))
    other = 1 - known.me
    free = [card for card in known.unseen if not card & known.late]
    counts: Counter[tuple[int, int]] = Counter()
    deals = 4000
    for _ in range(deals):
        hand = known.deal(chance).hands[other]
        counts.update(pair for pair in combinations(free, 2) if pair[0] & hand and pair[1] & hand)
    pairs = len(free) * (len(free) - 1) // 2
    mean = sum(counts.values()) / pairs
    chi = sum((counts[pair] - mean) ** 2 / mean for pair in combinations(free, 2))
    # Pairs of one deal hang together, so the bound is wide; a biased draw misses it by far.
    assert 0.5 * pairs < chi < 2 * pairs


@settings(max_examples=60, deadline=None)
@given(place=EVERY, seed=SEEDS)
def test_a_game_retold_is_the_game_but_for_what_was_hidden(
    place: tuple[str, int], seed: int
) -> None:
    table = halfway(*place, seed)
    assert_retold(table, table.to_act[0], seed)


def assert_retold(table: Table, seat: int, seed: int) -> None:
    """What the seat was told makes up the game, but for the places of what it never saw."""
    real = table.game.state
    told = Retold(table.view(seat), table.history(seat))
    state = told.deal(random.Random(seed).random)
    fields = set(real.__struct_fields__) - EXCEPT
    assert {f: getattr(state, f) for f in fields} == {f: getattr(real, f) for f in fields}
    assert [h.bit_count() for h in state.hands] == [h.bit_count() for h in real.hands]
    assert sorted((*to_cards(sum(state.hands)), *state.talon)) == sorted(
        (*to_cards(sum(real.hands)), *real.talon)
    )
    assert engine.legal_moves(state, seat) == engine.legal_moves(real, seat)
    if getattr(real, "slots", ()):
        others = [s for s in range(real.seats) if s != seat]
        assert [state.hands[s] for s in others] == [real.hands[s] for s in others]
    else:
        assert state.hands[seat] == real.hands[seat]


@settings(max_examples=25, deadline=None)
@given(seats=st.integers(2, 4), forced=st.booleans(), seed=SEEDS)
def test_cards_that_were_called_wrong_are_back_in_hand(seats: int, forced: bool, seed: int) -> None:
    options = {"enforcement": "catchable", "must_defend_if_able": forced}
    table, rng = (
        Table(ruleset("throw_in", options, seats), ("a",) * seats, f"{seed}"),
        random.Random(seed),
    )
    while table.result is None and len(table.events) < 60:
        with suppress(Refusal):
            # A call may be refused: whether a play was wrong is not told before.
            step(table, rng)
        if table.result is None and isinstance(table.events[-1], CardBeaten | WrongPlayCalled):
            assert_retold(table, rng.choice(table.to_act), seed)


@settings(max_examples=25, deadline=None)
@given(name=st.sampled_from(ruleset_ids("shedding")), seed=SEEDS)
def test_a_pile_turned_over_is_known_from_end_to_end(name: str, seed: int) -> None:
    rng = random.Random(seed)
    table = with_pile_again(ruleset(name, players=2), 2, seed)
    go_on(table, rng, rng.randrange(20))
    seat = table.to_act[0]
    told = Retold(table.view(seat), table.history(seat))
    talons = {told.deal(rng.random).talon for _ in range(5)}
    assert talons == {table.game.state.talon}


def test_a_pile_that_is_shuffled_is_known_but_for_its_order() -> None:
    rules = ruleset("mau_mau_single_draw", {"recycle": "shuffle"}, players=3)
    table = with_pile_again(rules, 3, 1, least=3)
    seat, rng = table.to_act[0], random.Random(1)
    told = Retold(table.view(seat), table.history(seat))
    talons = [told.deal(rng.random).talon for _ in range(8)]
    assert len(set(talons)) > 1
    assert {tuple(sorted(talon)) for talon in talons} == {tuple(sorted(table.game.state.talon))}


def with_pile_again(rules: Ruleset, seats: int, seed: int, *, least: int = 0) -> Table:
    """A running game whose pile has just become a talon of so many cards or more."""
    rng = random.Random(seed)
    for game in range(100):
        table = Table(rules, ("any",) * seats, f"{seed} {game}")
        while table.result is None:
            step(table, rng)
            again = any(isinstance(event, DiscardRecycled) for event in table.events)
            if again and len(table.game.state.talon) >= least and table.result is None:
                return table
    raise AssertionError("no pile became a talon")


def test_cards_turned_up_before_the_trump_are_in_no_hand_of_the_deal() -> None:
    """Nobody was dealt what lay in the talon when the trump was sought."""
    for seed in range(40):
        table = Table(ruleset("throw_in.japanese_drawn_diamond", players=3), ("a",) * 3, f"{seed}")
        drawn = went_back(table)
        if not drawn:
            continue
        known = knowledge_of(table)
        chance = chance_of(random.Random(seed))
        for _ in range(20):
            hands = known.deal(chance).hands
            assert not any(drawn & set(known.plan.deck.cards(hand)) for hand in hands)
        return
    pytest.fail("no deal turned up more than one card")


def test_a_deal_of_another_kind_of_game_is_refused() -> None:
    table = Table(ruleset("mau_mau", players=2), ("a", "b"), "x")
    with pytest.raises(TypeError, match="attack and defence"):
        knowledge_of(table)
