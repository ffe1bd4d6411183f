"""How thorough a run is."""

import argparse
from typing import Final, NamedTuple

from bench.rehearsal import MOVES


class Plan(NamedTuple):
    """`idle` streams held open at once, with a sign of life every `keep_alive` seconds.

    Then twice, once in peace and once with breaks: `games` with `watchers` each, at `rate` moves a
    second altogether for `seconds`; in the second run the broker is away for `outage` seconds.
    """

    idle: int = 5_000
    keep_alive: float = 15.0
    games: int = 200
    watchers: int = 3
    rate: float = 100.0
    seconds: float = 40.0
    outage: float = 6.0

    @property
    def moves(self) -> int:
        """How many moves a run has; no game has more than its sample."""
        return min(int(self.rate * self.seconds), self.games * MOVES)


FULL: Final = Plan()
QUICK: Final = Plan(
    idle=40, keep_alive=0.5, games=6, watchers=3, rate=20.0, seconds=4.0, outage=1.5
)


def options_add(parser: argparse.ArgumentParser) -> None:
    """An option for each size."""
    sizes = parser.add_argument_group("sizes of `streams`")
    for name, kind in Plan.__annotations__.items():
        sizes.add_argument(f"--{name.replace('_', '-')}", type=kind, metavar="N")


def plan_of(options: argparse.Namespace, *, quick: bool) -> Plan:
    """The plan with the sizes that somebody has asked for."""
    asked = {name: getattr(options, name) for name in Plan._fields}
    return (QUICK if quick else FULL)._replace(
        **{name: size for name, size in asked.items() if size is not None}
    )
