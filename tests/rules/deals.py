"""Deals with a chosen order of the pack."""

from collections.abc import Sequence
from typing import Any, TypeVar

from games.rules import engine
from games.rules.cards import pack
from games.rules.events import Event, Previous
from games.rules.rulesets.registry import ruleset
from games.rules.shuffle import Entropy
from games.rules.state import State

T = TypeVar("T")


class Stacked(Entropy, frozen=True):
    """Chance that is none: shuffles by label, numbers by label."""

    orders: dict[str, Sequence[Any]]
    numbers: dict[str, int]

    def shuffled(self, items: Sequence[T], label: str) -> tuple[T, ...]:
        """The order of this label, which must hold the very same items."""
        order = tuple(self.orders[label])
        assert sorted(order) == sorted(items)
        return order

    def below(self, limit: int, label: str) -> int:
        """The number of this label."""
        assert 0 <= self.numbers[label] < limit
        return self.numbers[label]


def stacked(*orders: Sequence[str], **numbers: int) -> Stacked:
    """The packs of the first deal, the second deal and so on, and numbers by label."""
    labels = ["deal", *(f"deal.{attempt}" for attempt in range(1, len(orders)))]
    return Stacked(bytes(32), "game", (), dict(zip(labels, orders, strict=True)), numbers)


def first(cards: str, size: int = 36) -> tuple[str, ...]:
    """A pack that begins with these cards; the others follow in the order of a new pack."""
    named = cards.split()
    return (*named, *(card for card in pack(size) if card not in named))


def deal(
    entropy: Entropy,
    *,
    seats: int = 2,
    ruleset_id: str = "throw_in",
    previous: Previous | None = None,
    **options: Any,
) -> tuple[State, tuple[Event, ...]]:
    """The state before the first attack, and the events that led to it."""
    rules = ruleset(ruleset_id, options, players=seats).rules
    events = engine.start(rules, seats, entropy, previous)
    return engine.fold(engine.empty_state(rules, seats), events), events
