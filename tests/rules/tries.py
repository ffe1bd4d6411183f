"""Every move that anybody could think of, legal or not."""

import random
from collections.abc import Iterator
from itertools import chain, combinations, product

from games.rules.cards import CARDS, SUITS, to_cards
from games.rules.engine import AnyState
from games.rules.moves import Move
from games.rules.shedding.state import SheddingState
from games.rules.state import State

SINGLE = ("attack", "throw_in", "transfer", "show_trump")
MANY = ("attack", "throw_in", "transfer")


def every_shedding_move(state: SheddingState, seat: int, rng: random.Random) -> Iterator[Move]:
    """Every card of the largest pack and sets of cards in any order, with and without a suit."""
    yield from (Move("draw"), Move("pass"), Move("name_suit"))
    yield from (Move("name_suit", suit=suit) for suit in SUITS)
    sets = list(sets_of_cards(state, seat, rng))
    turned = [tuple(reversed(cards)) for cards in sets]
    for cards in (*((card,) for card in CARDS), *sets, *turned):
        yield Move("play", cards=cards)
        yield Move("play", cards=cards, suit=rng.choice(SUITS))


def every_move(state: AnyState, seat: int, rng: random.Random) -> Iterator[Move]:
    """Every card or slot by every type at every target, and sets of them."""
    if isinstance(state, SheddingState):
        yield from every_shedding_move(state, seat, rng)
        return
    yield from (Move(kind) for kind in ("take", "pass", "exchange_trump"))
    targets = [*(card for pair in state.table for card in pair if card), *rng.sample(CARDS, 2)]
    yield from (Move("call", cards=(card,)) for card in CARDS)
    yield Move("beat", target=targets[0])
    if state.slots:
        yield from moves_by_slot(state, seat, targets, rng)
    else:
        yield from moves_by_face(state, seat, targets, rng)


def moves_by_face(
    state: State, seat: int, targets: list[str], rng: random.Random
) -> Iterator[Move]:
    """Every card of the largest pack, and sets of cards."""
    for card in CARDS:
        yield from (Move(kind, cards=(card,)) for kind in SINGLE)
        yield from (Move("beat", cards=(card,), target=target) for target in targets)
    for kind, cards in product(MANY, sets_of_cards(state, seat, rng)):
        yield Move(kind, cards=cards)


def moves_by_slot(
    state: State, seat: int, targets: list[str], rng: random.Random
) -> Iterator[Move]:
    """Every slot that the seat has or had, some beyond, and sets of slots."""
    base, count = state.slot_base[seat], len(state.slots[seat])
    slots = range(max(base - 2, 0), base + count + 2)
    for slot in slots:
        yield from (Move(kind, slots=(slot,)) for kind in SINGLE)
        yield from (Move("beat", slots=(slot,), target=target) for target in targets)
    several = [tuple(rng.sample(slots, min(size, len(slots)))) for size in (3, 4, 5, 7)]
    twice = [(slot, slot) for slot in slots]
    for kind, chosen in product(MANY, chain(twice, combinations(slots, 2), several, [()])):
        yield Move(kind, slots=chosen)


def sets_of_cards(state: AnyState, seat: int, rng: random.Random) -> Iterator[tuple[str, ...]]:
    """No card, one twice, every set of one rank, pairs of a hand, and hands with a stranger."""
    hand = to_cards(state.hands[seat])
    yield ()
    yield from ((card, card) for card in hand[:2])
    yield from combinations(hand, 2)
    for rank in {card[0] for card in hand}:
        same = [card for card in CARDS if card[0] == rank]
        yield from (chosen for count in (2, 3, 4) for chosen in combinations(same, count))
    for count in (3, 5, 7):
        yield tuple(rng.sample(hand, min(count, len(hand))))
    yield (*hand[:2], rng.choice(CARDS))
