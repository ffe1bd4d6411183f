"""``manage.py arena greedy random``: what brains are worth against each other."""

import os
from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from bots.arena.plan import Plan, entrants
from bots.arena.report import report_json, report_of, report_text
from bots.arena.run import run
from bots.arena.sprt import Sprt
from bots.arena.state import State, StateError
from bots.brains import UnknownBrain
from games.management.progress import ProgressBar
from games.rules.errors import RulesError


class Command(BaseCommand):
    """Let brains play each other."""

    help = (
        "Round-robin of brains, each deal played from every seat: scores with intervals, Elo with "
        "random = 1000. Needs neither a server nor a database."
    )
    requires_system_checks: tuple[str, ...] = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the command line."""
        add = parser.add_argument
        add("brains", nargs="+", metavar="BRAIN", help="name, name@version, name:budget")
        add("--ruleset", action="append", metavar="ID", help="as often as you like (throw_in)")
        add("--seats", action="append", type=_count, metavar="N", help="likewise (2)")
        add("--deals", type=_count, default=500, help="at most, for each pair (default 500)")
        add("--budget", type=_count, default=settings.BOT_BUDGET, help="where none is named")
        add("--seed", default="arena", help="the same seed gives the same run")
        add("--sprt", nargs=2, type=float, metavar=("ELO0", "ELO1"), help="stop when it is clear")
        add("--one-against-all", action="store_true", help="the first alone among each other one")
        add("--illegal", choices=("loss", "stop"), default="loss", help="what a fault leads to")
        add("--jobs", type=_count, default=os.cpu_count() or 1, help="processes (default: cores)")
        add("--json", type=Path, metavar="FILE", help="write the report there")
        add("--state", type=Path, metavar="FILE", help="go on from, and save to, this file")
        add("--module", action="append", default=[], help="registers further brains")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Play, show, write."""
        plan = _plan(options)
        state = _state(plan, options["state"])
        bar = ProgressBar(self.stderr, "arena")
        deals = run(plan, jobs=options["jobs"], state=state, show=bar.show)
        bar.end()
        report = report_of(plan, deals)
        self.stdout.write(report_text(report), ending="")
        if options["json"] is not None:
            options["json"].write_bytes(report_json(report))
        if options["illegal"] == "stop" and any(any(one.faults) for one in report.scores):
            raise CommandError("A brain failed or answered against the rules.")


def _plan(options: dict[str, Any]) -> Plan:
    elos = options["sprt"]
    if elos is not None and elos[0] >= elos[1]:
        raise CommandError("--sprt: ELO0 must be less than ELO1")
    if elos is not None and options["one_against_all"]:
        raise CommandError("--sprt is for pairs, not for --one-against-all")
    return Plan(
        brains=tuple(options["brains"]),
        rulesets=tuple(options["ruleset"] or ("throw_in",)),
        sizes=tuple(options["seats"] or (2,)),
        deals=options["deals"],
        seed=options["seed"],
        budget=options["budget"],
        alone=options["one_against_all"],
        sprt=None if elos is None else Sprt(*elos),
        modules=tuple(options["module"]),
    )


def _state(plan: Plan, path: Path | None) -> State:
    """The state of a plan that can be played. Raises CommandError."""
    try:
        entrants(plan)
        return State(plan, path)
    except UnknownBrain as unknown:
        raise CommandError(f"No brain {unknown}") from None
    except (RulesError, LookupError, ValueError, ImportError, StateError) as fault:
        raise CommandError(str(fault)) from None


def _count(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise ArgumentTypeError("a number from 1")
    return int(text)
