"""``durak-deal-v1`` once more, from its description alone, to check the engine's against it."""

import hashlib
import hmac
from collections.abc import Iterator, Sequence

NAME = b"durak-deal-v1"


def words(server_seed: bytes, game_id: str, label: str, seeds: Sequence[bytes]) -> Iterator[int]:
    """The 64-bit words of a stream."""
    told = NAME + game_id.encode() + label.encode()
    for seed in seeds:
        told += len(seed).to_bytes(4, "big") + seed
    for counter in range(1 << 64):
        block = hmac.new(server_seed, told + counter.to_bytes(8, "big"), hashlib.sha256).digest()
        yield from (int.from_bytes(block[at : at + 8], "big") for at in (0, 8, 16, 24))


def below(limit: int, stream: Iterator[int]) -> int:
    """A number under `limit`: words that would favour some are left out."""
    while True:
        word = next(stream)
        if word < (2**64 // limit) * limit:
            return word % limit


def shuffled(items: Sequence[str], stream: Iterator[int]) -> list[str]:
    """Fisher-Yates from the last place down to the second."""
    order = list(items)
    for place in reversed(range(1, len(order))):
        other = below(place + 1, stream)
        order[place], order[other] = order[other], order[place]
    return order


def commitment(server_seed: bytes, game_id: str) -> str:
    """What is published before the deal."""
    return hashlib.sha256(NAME + game_id.encode() + server_seed).hexdigest()
