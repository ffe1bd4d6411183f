"""Fair chance: every random choice of a game follows from its committed seed.

Algorithm ``durak-deal-v1``. The words of a stream are the big-endian 64-bit quarters of

    HMAC-SHA-256(server seed, "durak-deal-v1" | game id | label | seeds | counter)

with `seeds` = for each seat the length (u32, big-endian) and the bytes of its client seed, and
`counter` = u64, big-endian, from 0. A number below n is the first word under the largest multiple
of n, modulo n (rejection sampling). A shuffle is Fisher-Yates from the last place down to the
second. Each label has a stream of its own.
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

import msgspec

ALGORITHM: Final = "durak-deal-v1"
SERVER_SEED_BYTES: Final = 32
CLIENT_SEED_BYTES: Final = 64
_WORD: Final = 1 << 64

T = TypeVar("T")


def commitment(server_seed: bytes, game_id: str) -> str:
    """What is published when the game is created, in hex: SHA-256 of algorithm, id and seed."""
    return hashlib.sha256(ALGORITHM.encode() + game_id.encode() + server_seed).hexdigest()


class Entropy(msgspec.Struct, frozen=True):
    """The chance of one game: a server seed, the game's id and the seats' own seeds."""

    server_seed: bytes
    game_id: str
    client_seeds: tuple[bytes, ...]

    def below(self, limit: int, label: str) -> int:
        """A uniform number in ``range(limit)`` from the stream `label`."""
        return _below(limit, self._words(label))

    def shuffled(self, items: Sequence[T], label: str) -> tuple[T, ...]:
        """The items in an order drawn from the stream `label`, all orders equally likely."""
        words = self._words(label)
        order = list(items)
        for place in range(len(order) - 1, 0, -1):
            other = _below(place + 1, words)
            order[place], order[other] = order[other], order[place]
        return tuple(order)

    def _words(self, label: str) -> Iterator[int]:
        message = ALGORITHM.encode() + self.game_id.encode() + label.encode() + self._seeds()
        counter = 0
        while True:
            block = hmac.digest(self.server_seed, message + counter.to_bytes(8, "big"), "sha256")
            for start in range(0, 32, 8):
                yield int.from_bytes(block[start : start + 8], "big")
            counter += 1

    def _seeds(self) -> bytes:
        return b"".join(len(seed).to_bytes(4, "big") + seed for seed in self.client_seeds)


# For moves that need no chance.
NO_ENTROPY: Final = Entropy(b"", "", ())


def _below(limit: int, words: Iterator[int]) -> int:
    ceiling = _WORD - _WORD % limit
    for word in words:
        if word < ceiling:
            return word % limit
    raise RuntimeError("a stream of words does not end")
