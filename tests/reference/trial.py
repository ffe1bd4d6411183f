"""What both families' references are put through: recorded cases, and random games in number."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tests.cases import Case, found
from tests.reference.moves import Refused
from tests.reference.sides import Disagreement


def assert_goes_as_recorded(table: Any, case: Case) -> None:
    """Play a case on a table of the reference; what is refused changes nothing."""
    for step in case["steps"]:
        before = table.snapshot()
        if "error" in step:
            with pytest.raises(Refused, match=step["error"]):
                table.play(step["seat"], step["move"])
            assert table.snapshot() == before
        else:
            table.play(step["seat"], step["move"])
    assert found(table.snapshot(), case["expect"]) == case["expect"]


def played_in_two_readings(
    play_a_game: Callable[[int], Counter[str]], first_seed: int, plies: int
) -> Counter[str]:
    """Games from `first_seed` on until there are so many moves: how often each type was made."""
    played: Counter[str] = Counter()
    seed = first_seed
    while played.total() < plies:
        try:
            played += play_a_game(seed)
        except Disagreement as told:
            raise Disagreement(f"REFERENCE_SEED={seed} REFERENCE_PLIES=1: {told}") from None
        seed += 1
    return played
