"""Rounds become medians, and medians of pairs become ratios."""

import pytest

from bench.measure import LOAD, Round, compare, interleave, percentile, summarise


def test_contenders_take_turns_and_warm_up_first() -> None:
    turns: list[str] = []

    def contender(name: str) -> Round:
        turns.append(name)
        return Round(len(turns), 1.0)

    played = interleave({"a": lambda: contender("a"), "b": lambda: contender("b")}, 2)
    assert turns == ["a", "b", "a", "b", "a", "b"]
    assert [one.count for one in played["a"]] == [3, 5]


def test_a_row_is_the_median_round_with_all_latencies() -> None:
    rounds = [
        Round(10, 1.0, (0.001, 0.002), {"web": 0.03}),
        Round(90, 2.0, (0.003, 0.004), {"web": 0.07}),
        Round(100, 4.0, (), {"web": 0.1}),
    ]
    row = summarise("x", "moves/s", rounds)
    assert (row.rate, row.lowest, row.highest) == (25.0, 10.0, 45.0)
    assert (row.p50, row.p99) == (2.0, 4.0)
    assert row.cpu == {"web": pytest.approx(1.0)}


def test_a_ratio_compares_neighbours_in_time() -> None:
    played = {
        "fast": [Round(100, 1.0), Round(10, 1.0), Round(40, 1.0)],
        "slow": [Round(50, 1.0), Round(5, 1.0), Round(10, 1.0)],
    }
    ratio = compare(played, "fast", "slow")
    assert (ratio.value, ratio.by_cpu) == (2.0, None)


def test_a_ratio_by_cpu_time_leaves_out_who_only_asks() -> None:
    played = {
        "cheap": [Round(100, 1.0, (), {"web": 1.0, LOAD: 5.0})],
        "dear": [Round(50, 1.0, (), {"web": 0.5, "postgres": 0.5, LOAD: 9.0})],
    }
    assert compare(played, "cheap", "dear").by_cpu == 2.0


def test_without_requests_there_is_no_latency() -> None:
    assert percentile([], 0.5) is None
