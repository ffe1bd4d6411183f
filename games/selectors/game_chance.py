"""Which streams of chance a game has used, and what came of them."""

from collections.abc import Sequence
from typing import TypeVar

import msgspec

from games.rules.game import Game, entropy_of
from games.rules.rejudge import FalseEvent, rejudge
from games.rules.shuffle import Entropy
from games.store import log
from games.store.log import Head

T = TypeVar("T")


class Stream(msgspec.Struct, frozen=True):
    """A stream by its label: the number or the order of cards that was drawn from it."""

    label: str
    number: int | None = None
    cards: tuple[object, ...] | None = None

    @property
    def is_deal(self) -> bool:
        """Whether the whole pack was shuffled with it."""
        return self.label.split(".", 1)[0] == "deal"


class _Witness(Entropy, frozen=True):
    """The chance of a game, which remembers what it was asked for."""

    seen: list[Stream]

    def below(self, limit: int, label: str) -> int:
        """The number that the game was given."""
        number = super().below(limit, label)
        self.seen.append(Stream(label, number=number))
        return number

    def shuffled(self, items: Sequence[T], label: str) -> tuple[T, ...]:
        """The order that the game was given."""
        order = super().shuffled(items, label)
        self.seen.append(Stream(label, cards=order))
        return order


def game_chance(head: Head, seed: bytes) -> list[Stream]:
    """The streams that a finished game with this server seed has used, in their order.

    The game is decided again for it. Where the rules of this release would not have made an event
    of the log, the list ends.
    """
    seen: list[Stream] = []

    def chance(game: Game) -> Entropy:
        plain = entropy_of(game, str(head.id), seed)
        return _Witness(plain.server_seed, plain.game_id, plain.client_seeds, seen)

    try:
        rejudge((stored.event for stored in log.events(head.id)), chance)
    except FalseEvent:
        return seen
    return seen
