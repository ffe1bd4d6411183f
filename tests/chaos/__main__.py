"""Kill, cut and compare; ends with 1 and the first broken promise, if one is broken.

python -m tests.chaos --kills 200 --seed 1
"""

import argparse
import asyncio
import shutil
import sys
import tempfile
from pathlib import Path

import msgspec
import uvloop

from tests.chaos.journal import Journal, Violation
from tests.chaos.report import Report, lines
from tests.chaos.run import Plan, Run
from tests.chaos.sabotage import SABOTAGE
from tests.durak_api.stack import stack_at


def read_options() -> argparse.Namespace:
    """What the caller wants."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=8, help="games that go on at a time")
    parser.add_argument(
        "--calm", type=float, default=90.0, help="seconds for games to end when the kills are over"
    )
    parser.add_argument("--sabotage", choices=SABOTAGE, default="", help="break a promise")
    parser.add_argument("--json", type=Path, help="write the report there, too")
    parser.add_argument("--keep", action="store_true", help="leave data and logs where they are")
    return parser.parse_args()


def first_violation(error: BaseException) -> Violation | None:
    """The broken promise in a group of errors."""
    if isinstance(error, Violation):
        return error
    inner = error.exceptions if isinstance(error, BaseExceptionGroup) else ()
    return next((found for one in inner if (found := first_violation(one))), None)


def chaos(plan: Plan, folder: Path) -> Report:
    """One run in an empty folder. The report names the violation, if there was one."""
    journal = Journal(folder / "faults.jsonl")
    with stack_at(folder / "data") as stack:
        stack.start()
        run = Run(plan, stack, journal)
        try:
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                return runner.run(run.play())
        except BaseExceptionGroup as group:
            violation = first_violation(group)
            if violation is None:
                raise
            report = run.report
            report.violation = str(violation)
            return report
        finally:
            journal.close()


def main() -> int:
    """Run, report, and keep what is needed to look into a violation."""
    options = read_options()
    plan = Plan(options.seed, options.kills, options.games, options.calm, options.sabotage)
    folder = Path(tempfile.mkdtemp(prefix="durak-chaos-"))
    sys.stderr.write(f"data, logs and faults in {folder}\n")
    report = chaos(plan, folder)
    sys.stderr.write("\n")
    if options.json:
        options.json.write_bytes(msgspec.json.format(msgspec.json.encode(report)))
    if report.violation is None:
        sys.stdout.write("\n".join(lines(report)) + "\n")
        if not options.keep:
            shutil.rmtree(folder)
        return 0
    sys.stdout.write(f"BROKEN: {report.violation}\n")
    sys.stdout.write(f"again: python -m tests.chaos --kills {plan.kills} --seed {plan.seed}\n")
    sys.stdout.write(f"what was done: {folder}/faults.jsonl; logs: {folder}/data/log\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
