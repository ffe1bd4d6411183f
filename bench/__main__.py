"""`python -m bench [engine|search|log|http] [--quick] [--json FILE]`"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Final

from bench import endgame, engine, simulated, web
from bench.machine import machine_look
from bench.measure import Section
from bench.report import Report, report_json, report_text
from bench.servers import Servers
from bench.stage import Plan, servers_used

PARTS: Final = ("engine", "search", "log", "http")
FULL: Final = Plan(rounds=9, seconds=1.0, samples=16, most=5_000)
QUICK: Final = Plan(rounds=1, seconds=0.2, samples=2, most=2_000)


def measure(part: str | None, *, quick: bool) -> list[Section]:
    """The tables of one part, or of all."""
    sections: list[Section] = []
    if part in (None, "engine"):
        rounds, games = (1, 5) if quick else (45, 15)
        sections.append(engine.measure(rounds=rounds, games=games))
    if part in (None, "search"):
        rounds, games = (1, 200) if quick else (9, 4000)
        sections.append(simulated.measure(rounds=rounds, games=games))
        sections.append(endgame.measure(positions=10 if quick else 400))
    if part not in ("engine", "search"):
        with servers_used() as servers:
            sections += _served(servers, part, quick=quick)
    return sections


def _served(servers: Servers, part: str | None, *, quick: bool) -> Iterator[Section]:
    if part != "http":
        # Models can be imported once the servers are known.
        log = import_module("bench.log")
        yield from log.measure(servers, log.QUICK if quick else log.FULL)
    if part != "log":
        yield from web.measure(servers, QUICK if quick else FULL)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, and write what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Compare speeds.")
    parser.add_argument("part", nargs="?", choices=PARTS, help="default: all")
    parser.add_argument("--quick", action="store_true", help="a few seconds; figures mean little")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    options = parser.parse_args(arguments)
    machine, started = machine_look(), time.monotonic()
    sections = measure(options.part, quick=options.quick)
    report = Report(machine, time.monotonic() - started, sections)
    sys.stdout.write(report_text(report))
    if options.json:
        options.json.write_bytes(report_json(report))


if __name__ == "__main__":
    main()
