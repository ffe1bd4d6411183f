"""Rounds, medians and ratios."""

from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Final

import msgspec

# Who spends CPU time on asking, not on answering.
LOAD: Final = "load"


class Round(msgspec.Struct, frozen=True):
    """One round of one contender: how much it did in how many seconds.

    `latencies` are in seconds, one a request; `cpu` is CPU time in seconds by who spent it.
    """

    count: int
    seconds: float
    latencies: tuple[float, ...] = ()
    cpu: Mapping[str, float] = {}

    @property
    def rate(self) -> float:
        """How much in a second."""
        return self.count / self.seconds

    @property
    def cost(self) -> float:
        """CPU seconds for one, without those of whoever only asks; 0 where nobody measured."""
        return sum(spent for who, spent in self.cpu.items() if who != LOAD) / self.count


class Row(msgspec.Struct, frozen=True):
    """A contender's rounds in figures: rates per second, latencies and `cpu` in milliseconds.

    `cpu` is CPU time for one unit, by who spent it.
    """

    name: str
    unit: str
    rate: float
    lowest: float
    highest: float
    p50: float | None = None
    p99: float | None = None
    cpu: dict[str, float] = {}


class Ratio(msgspec.Struct, frozen=True):
    """One contender against another, or against a figure; `wanted` is the least that will do.

    `by_cpu` is what it would be if nothing but CPU time counted; it suffers less from company.
    """

    name: str
    value: float
    by_cpu: float | None = None
    wanted: float | None = None
    binding: bool = False


class Section(msgspec.Struct, frozen=True):
    """A table of the report."""

    title: str
    rows: list[Row]
    ratios: list[Ratio]
    notes: list[str] = []


Contenders = Mapping[str, Callable[[], Round]]
Played = Mapping[str, Sequence[Round]]


def interleave(contenders: Contenders, rounds: int) -> dict[str, list[Round]]:
    """Let the contenders take turns, A B C A B C, after a round each that does not count."""
    for play in contenders.values():
        play()
    played: dict[str, list[Round]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, play in contenders.items():
            played[name].append(play())
    return played


def summarise(name: str, unit: str, rounds: Sequence[Round]) -> Row:
    """The row of a contender."""
    rates = [one.rate for one in rounds]
    latencies = sorted(latency for one in rounds for latency in one.latencies)
    return Row(
        name=name,
        unit=unit,
        rate=median(rates),
        lowest=min(rates),
        highest=max(rates),
        p50=percentile(latencies, 0.50),
        p99=percentile(latencies, 0.99),
        cpu=_cpu(rounds),
    )


def compare(
    played: Played, one: str, other: str, wanted: float | None = None, *, binding: bool = False
) -> Ratio:
    """The median over the rounds of how much faster `one` was than `other` right beside it."""
    pairs = list(zip(played[one], played[other], strict=True))
    value = median(mine.rate / theirs.rate for mine, theirs in pairs)
    by_cpu = None
    if all(round_.cost for pair in pairs for round_ in pair):
        by_cpu = median(theirs.cost / mine.cost for mine, theirs in pairs)
    return Ratio(f"{one} / {other}", value, by_cpu, wanted, binding)


def percentile(ordered: Sequence[float], share: float) -> float | None:
    """The latency, in ms, that `share` of the requests did not exceed; None without any.

    >>> percentile([0.001, 0.002, 0.003, 0.004], 0.5)
    2.0
    """
    if not ordered:
        return None
    return ordered[max(0, round(len(ordered) * share) - 1)] * 1000


def _cpu(rounds: Sequence[Round]) -> dict[str, float]:
    count = sum(one.count for one in rounds)
    spenders = rounds[0].cpu
    return {who: sum(one.cpu[who] for one in rounds) / count * 1000 for who in spenders}
