"""Who sits where."""

from collections import Counter

import pytest

from bots.arena.pairing import Meeting, line_ups, meetings
from games.rules.errors import InvalidOptions
from games.rules.rulesets.registry import ruleset


def meeting(seats: int, *, alone: bool = False) -> Meeting:
    return Meeting(ruleset("throw_in", players=seats), seats, 0, 1, alone)


def test_two_swap_their_seats() -> None:
    assert list(line_ups(meeting(2))) == [(0, 1), (1, 0)]


@pytest.mark.parametrize("seats", [3, 4, 6])
def test_everybody_sits_everywhere_alone_and_among_others(seats: int) -> None:
    seated = list(line_ups(meeting(seats)))
    assert len(set(seated)) == len(seated) == 2 * seats
    for own in range(seats):
        assert Counter(line_up[own] for line_up in seated) == {0: seats, 1: seats}
    assert Counter(sum(line_up) for line_up in seated) == {1: seats, seats - 1: seats}


@pytest.mark.parametrize("seats", [2, 4])
def test_one_against_all_sits_in_every_seat(seats: int) -> None:
    seated = list(line_ups(meeting(seats, alone=True)))
    assert [line_up.index(0) for line_up in seated] == list(range(seats))
    assert all(sum(line_up) == seats - 1 for line_up in seated)


def test_everybody_meets_everybody_at_every_table() -> None:
    met = meetings(3, ["throw_in", "mau_mau"], [2, 3])
    assert len(met) == 3 * 4
    assert {(one.first, one.second) for one in met} == {(0, 1), (0, 2), (1, 2)}
    assert {(one.rules.id, one.seats) for one in met} == {
        (name, seats) for name in ("throw_in", "mau_mau") for seats in (2, 3)
    }


def test_one_against_all_meets_each_of_the_others() -> None:
    met = meetings(3, ["throw_in"], [3], alone=True)
    assert [(one.first, one.second, one.alone) for one in met] == [(0, 1, True), (0, 2, True)]


def test_a_size_that_a_ruleset_does_not_allow_is_refused() -> None:
    with pytest.raises(InvalidOptions):
        meetings(2, ["partners"], [3])
