"""Every move that anybody could think of, legal or not."""

import random
from collections.abc import Iterator
from itertools import combinations, product

from games.rules.cards import CARDS, to_cards
from games.rules.moves import Move
from games.rules.state import State


def every_move(state: State, seat: int, rng: random.Random) -> Iterator[Move]:
    """Every card by every type at every target, and sets of cards."""
    yield from (Move(kind) for kind in ("take", "pass", "exchange_trump"))
    targets = [*(card for pair in state.table for card in pair if card), *rng.sample(CARDS, 2)]
    for card in CARDS:
        for kind in ("attack", "throw_in", "transfer", "show_trump", "call"):
            yield Move(kind, cards=(card,))
        for target in targets:
            yield Move("beat", cards=(card,), target=target)
    for kind, cards in product(("attack", "throw_in", "transfer"), sets_of_cards(state, seat, rng)):
        yield Move(kind, cards=cards)
    yield Move("beat", target=targets[0])


def sets_of_cards(state: State, seat: int, rng: random.Random) -> Iterator[tuple[str, ...]]:
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
