"""`python -m bench [engine|bots|log|http|streams|scores] [--quick] [--json FILE]`"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Final

from bench import engine, web
from bench.machine import machine_look, memory_given
from bench.measure import Section
from bench.report import Report, report_json, report_text
from bench.servers import Servers
from bench.stage import Plan, servers_used
from bench.streams.plan import Plan as StreamsPlan
from bench.streams.plan import options_add, plan_of

PARTS: Final = ("engine", "bots", "log", "http", "streams", "scores")
FULL: Final = Plan(rounds=9, seconds=1.0, samples=16, most=5_000)
QUICK: Final = Plan(rounds=1, seconds=0.2, samples=2, most=2_000)


def measure(part: str | None, *, quick: bool) -> list[Section]:
    """The tables of one part, or of all that are measured together."""
    sections: list[Section] = []
    if part in (None, "engine"):
        rounds, games = (1, 5) if quick else (45, 15)
        sections.append(engine.measure(rounds=rounds, games=games))
    if part in (None, "bots"):
        sections += _brains(quick=quick)
    if part not in ("engine", "bots"):
        with servers_used() as servers:
            sections += _served(servers, part, quick=quick)
    return sections


def _brains(*, quick: bool) -> Iterator[Section]:
    # Brains and yardsticks are slow to import.
    simulated, endgame, bots = (
        import_module(f"bench.{name}") for name in ("simulated", "endgame", "bots")
    )
    rounds, games = (1, 200) if quick else (9, 4000)
    yield simulated.measure(rounds=rounds, games=games)
    yield endgame.measure(positions=10 if quick else 400)
    rounds, games = (1, 2) if quick else (15, 20)
    yield bots.measure(rounds=rounds, games=games)


def measure_streams(plan: StreamsPlan) -> list[Section]:
    """The tables of streams, which take minutes."""
    report = import_module("bench.streams.report")
    with servers_used(*report.SETTINGS) as servers:
        sections: list[Section] = report.measure(servers, plan)
    return sections


def _served(servers: Servers, part: str | None, *, quick: bool) -> Iterator[Section]:
    if part != "http":
        # Models can be imported once the servers are known.
        log = import_module("bench.log")
        yield from log.measure(servers, log.QUICK if quick else log.FULL)
    if part != "log":
        yield from web.measure(servers, QUICK if quick else FULL)


def measure_scores(
    players: int | None, results: int | None, *, quick: bool, keep: Path | None
) -> list[Section]:
    """The table of scores, with so many players and results, which stay in the folder `keep`."""
    with servers_used(memory_given(), keep=keep) as servers:
        scores = import_module("bench.scores")
        plan = scores.QUICK if quick else scores.FULL
        wanted = {"players": players, "results": results}
        given = {name: size for name, size in wanted.items() if size is not None}
        return [scores.measure(servers, plan._replace(**given))]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, and write what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Compare speeds.")
    parser.add_argument("part", nargs="?", choices=PARTS, help="default: all but the last two")
    parser.add_argument("--players", type=int, metavar="N", help="of scores: 1,000,000")
    parser.add_argument("--results", type=int, metavar="N", help="of scores: 10,000,000")
    parser.add_argument(
        "--keep",
        type=Path,
        metavar="FOLDER",
        help="of scores: leave the database there, and ask the one that is there again",
    )
    parser.add_argument("--quick", action="store_true", help="a few seconds; figures mean little")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    options_add(parser)
    options = parser.parse_args(arguments)
    machine, started = machine_look(), time.monotonic()
    if options.part == "streams":
        sections = measure_streams(plan_of(options, quick=options.quick))
    elif options.part == "scores":
        sections = measure_scores(
            options.players, options.results, quick=options.quick, keep=options.keep
        )
    else:
        sections = measure(options.part, quick=options.quick)
    report = Report(machine, time.monotonic() - started, sections)
    sys.stdout.write(report_text(report))
    if options.json:
        options.json.write_bytes(report_json(report))


if __name__ == "__main__":
    main()
