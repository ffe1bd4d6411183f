"""``manage.py ladder``: measure every brain against every other and store what they are worth."""

import os
from pathlib import Path
from typing import Any, Final

import msgspec
from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from bots.arena.plan import Plan, entrants
from bots.arena.report import Report, Standing, report_of, report_text
from bots.arena.run import run
from bots.arena.state import State
from bots.brains import brain_list
from bots.brains.ladder import LADDER, Ladder, Rung, ladder, merged
from games.management.progress import ProgressBar
from games.rules.rulesets.registry import family_of_ruleset

# What most people play.
RULESETS: Final = ("throw_in", "transfer", "mau_mau", "hundred_one")


class Command(BaseCommand):
    """Write `bots/ladder.json` anew."""

    help = "Measure the brains in a round-robin and write their strengths to bots/ladder.json."
    requires_system_checks: tuple[str, ...] = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the command line."""
        parser.add_argument(
            "brains", nargs="*", help="as in arena (default: all that play all of it)"
        )
        parser.add_argument(
            "--ruleset",
            action="append",
            choices=RULESETS,
            metavar="ID",
            help="only these: the others stay as they are (default: all)",
        )
        parser.add_argument("--deals", type=int, default=300, help="for each pair (default 300)")
        parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
        parser.add_argument("--state", type=Path, help="go on from, and save to, this file")
        parser.add_argument("--out", type=Path, default=LADDER, help="default: bots/ladder.json")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Play, show, write."""
        brains = tuple(options["brains"] or _all_rounders())
        plan = Plan(
            brains=brains,
            rulesets=tuple(options["ruleset"] or RULESETS),
            deals=options["deals"],
            seed="ladder",
            budget=settings.BOT_BUDGET,
        )
        bar = ProgressBar(self.stderr, "ladder")
        deals = run(plan, jobs=options["jobs"], state=State(plan, options["state"]), show=bar.show)
        bar.end()
        report = report_of(plan, deals)
        self.stdout.write(report_text(report), ending="")
        found = ladder_of(report)
        if options["ruleset"]:
            found = merged(ladder(), found)
        written = msgspec.json.format(msgspec.json.encode(found))
        options["out"].write_bytes(written + b"\n")


def _all_rounders() -> list[str]:
    """The brains that play every ruleset of the ladder."""
    wanted = {family_of_ruleset(name) for name in RULESETS}
    return [entry.name for entry in brain_list() if wanted <= set(entry.families)]


def ladder_of(report: Report) -> Ladder:
    """The ladder that a run found; brains are known by their names there."""
    plan = report.plan
    pool = {one.label: one for one in entrants(plan).pool}
    rungs = {
        table.ruleset: tuple(
            _rung(pool[standing.brain].entry.name, standing) for standing in table.standings
        )
        for table in report.tables
    }
    names = " ".join(one.entry.name for one in pool.values())
    only = "" if plan.rulesets == RULESETS else f' RULESETS="{" ".join(plan.rulesets)}"'
    command = f'make ladder DEALS={plan.deals} BRAINS="{names}"{only}'
    return Ladder(
        commands=dict.fromkeys(rungs, command),
        seats=plan.sizes,
        versions={one.entry.name: one.entry.version for one in pool.values()},
        budgets={one.entry.name: one.budget for one in pool.values()},
        rulesets=rungs,
    )


def _rung(name: str, standing: Standing) -> Rung:
    return Rung(
        name, round(standing.elo), round(standing.low), round(standing.high), standing.games
    )
