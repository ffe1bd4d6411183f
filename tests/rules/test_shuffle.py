"""Fair chance: published vectors, no favoured number, every order as likely as any other."""

import json
from collections import Counter
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.cards import pack
from games.rules.shuffle import ALGORITHM, SERVER_SEED_BYTES, Entropy, _below, commitment
from tests.rules import fair_deal

DATA = Path(__file__).parents[1] / "data" / "durak-deal-v1.json"
PUBLISHED = json.loads(DATA.read_text("utf-8"))
VECTORS: list[dict[str, Any]] = PUBLISHED["vectors"]
seeds = st.binary(min_size=SERVER_SEED_BYTES, max_size=SERVER_SEED_BYTES)


def entropy_of(vector: dict[str, Any]) -> Entropy:
    clients = tuple(bytes.fromhex(seed) for seed in vector["client_seeds"])
    return Entropy(bytes.fromhex(vector["server_seed"]), vector["game_id"], clients)


def chi_square(counts: Counter[Any], kinds: int) -> float:
    expected = counts.total() / kinds
    unseen = kinds - len(counts)
    return unseen * expected + sum((seen - expected) ** 2 / expected for seen in counts.values())


def test_the_vectors_are_of_this_algorithm() -> None:
    assert PUBLISHED["algorithm"] == ALGORITHM
    assert len(VECTORS) == 7


@pytest.mark.parametrize("vector", VECTORS)
def test_a_published_vector(vector: dict[str, Any]) -> None:
    entropy, label = entropy_of(vector), vector["label"]
    words = entropy._words(label)
    assert commitment(entropy.server_seed, entropy.game_id) == vector["commitment"]
    assert [f"{next(words):016x}" for _ in vector["words"]] == vector["words"]
    assert {text: entropy.below(int(text), label) for text in vector["below"]} == vector["below"]
    assert " ".join(entropy.shuffled(pack(vector["pack"]), label)) == vector["order"]


@given(seeds, st.text(max_size=9), st.text(max_size=9), st.lists(st.binary(), max_size=3))
def test_the_description_alone_gives_the_same_order(
    seed: bytes, game: str, label: str, clients: list[bytes]
) -> None:
    entropy = Entropy(seed, game, tuple(clients))
    again = fair_deal.words(seed, game, label, clients)
    assert list(entropy.shuffled(pack(52), label)) == fair_deal.shuffled(pack(52), again)


@given(seeds, st.integers(2, 10**6))
def test_a_number_is_below_its_limit_and_drawn_the_same_twice(seed: bytes, limit: int) -> None:
    entropy = Entropy(seed, "game", ())
    assert 0 <= entropy.below(limit, "x") == entropy.below(limit, "x") < limit


@pytest.mark.parametrize("limit", [3, 5, 6, 36, 52, 2**63 + 1])
def test_words_over_the_largest_multiple_are_rejected(limit: int) -> None:
    largest = 2**64 - 2**64 % limit
    rejected = [2**64 - 1, largest]
    assert _below(limit, iter([*rejected, largest - 1])) == limit - 1
    assert _below(limit, iter([*rejected, 0])) == 0


@pytest.mark.parametrize("limit", [1, 2, 64, 2**32])
def test_no_word_is_rejected_where_all_numbers_are_served_alike(limit: int) -> None:
    assert _below(limit, iter([2**64 - 1])) == limit - 1


def test_a_chance_depends_on_every_part_of_the_entropy() -> None:
    base = Entropy(bytes(32), "game", (b"ann", b""))
    others = [
        Entropy(bytes([1]) + bytes(31), "game", (b"ann", b"")),
        Entropy(bytes(32), "gamf", (b"ann", b"")),
        Entropy(bytes(32), "game", (b"", b"ann")),
        Entropy(bytes(32), "game", (b"an", b"n")),
        Entropy(bytes(32), "game", (b"ann",)),
    ]
    orders = [entropy.shuffled(pack(36), "deal") for entropy in (base, *others)]
    orders.append(base.shuffled(pack(36), "deal.1"))
    assert len(set(orders)) == len(orders)


def test_a_commitment_binds_seed_and_game() -> None:
    made = {commitment(seed, game) for seed in (bytes(32), bytes(31) + b"1") for game in "ab"}
    assert len(made) == 4
    assert commitment(bytes(32), "g") == fair_deal.commitment(bytes(32), "g")


def test_all_orders_of_four_cards_are_equally_likely() -> None:
    entropy = Entropy(bytes(32), "uniform", ())
    counts = Counter(entropy.shuffled("abcd", f"deal.{number}") for number in range(4_800))
    assert counts.keys() == set(permutations("abcd"))
    # 99.9 % of fair shuffles stay below this with 23 degrees of freedom.
    assert chi_square(counts, 24) < 49.7


def test_every_card_is_as_likely_in_a_place_as_any_other() -> None:
    entropy = Entropy(b"\x07" * 32, "uniform", ())
    orders = [entropy.shuffled(pack(36), f"deal.{number}") for number in range(1_080)]
    for place in (0, 17, 35):
        # 99.9 %, 35 degrees of freedom.
        assert chi_square(Counter(order[place] for order in orders), 36) < 66.6


def test_numbers_are_equally_likely() -> None:
    entropy = Entropy(b"\x2a" * 32, "uniform", ())
    counts = Counter(entropy.below(6, f"dealer.{number}") for number in range(3_000))
    # 99.9 %, 5 degrees of freedom.
    assert chi_square(counts, 6) < 20.5
