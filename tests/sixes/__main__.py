"""Play and compare; ends with 1 and the first broken promise, if one is broken.

python -m tests.sixes --games 20 --seed 1
"""

import argparse
import asyncio
import os
import shutil
import sys
import tempfile
from pathlib import Path

import msgspec
import uvloop

from tests.chaos.__main__ import first_violation
from tests.chaos.journal import Journal, Violation
from tests.durak_api.stack import stack_at
from tests.sixes.run import Plan, Report, Run


def read_options() -> argparse.Namespace:
    """What the caller wants."""
    parser = argparse.ArgumentParser(prog="python -m tests.sixes", description=__doc__)
    parser.add_argument("--games", type=int, default=20, help="all of them at once")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--turn-seconds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=900.0, help="until all have to be over")
    parser.add_argument("--json", type=Path, help="write the report there, too")
    return parser.parse_args()


def play(plan: Plan, folder: Path) -> Report:
    """One run in an empty folder. Raises Violation."""
    os.environ["TURN_SECONDS_MIN"] = "1"
    journal = Journal(folder / "faults.jsonl")
    with stack_at(folder / "data") as stack:
        stack.start()
        try:
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                return runner.run(Run(plan, stack, journal).play())
        except BaseExceptionGroup as group:
            violation = first_violation(group)
            if violation is None:
                raise
            raise violation from None
        finally:
            journal.close()


def main() -> int:
    """Run, report, and keep what is needed to look into a violation."""
    options = read_options()
    plan = Plan(options.games, options.seed, options.turn_seconds, options.seconds)
    folder = Path(tempfile.mkdtemp(prefix="durak-sixes-"))
    try:
        report = play(plan, folder)
    except Violation as violation:
        sys.stdout.write(f"\nBROKEN: {violation}\nlogs and faults: {folder}\n")
        return 1
    shutil.rmtree(folder)
    if options.json:
        options.json.write_bytes(msgspec.json.encode(report))
    sys.stdout.write(f"\n{report}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
