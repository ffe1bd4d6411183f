"""``manage.py perft transfer --depth 6``: count move sequences; no server, no database."""

import json
from argparse import ArgumentTypeError
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.management.options import add_option_argument, read_options
from games.management.progress import ProgressBar
from games.rules.engine import AnyState
from games.rules.errors import InvalidOptions, InvalidPosition, UnknownRuleset
from games.rules.perft import first_state, perft
from games.rules.position_line import read_line
from games.rules.rulesets.registry import players_range, ruleset, ruleset_ids

STORED: Final = Path(__file__).parents[3] / "tests" / "rules" / "perft.json"
Counts = dict[str, dict[str, Any]]


class Command(BaseCommand):
    """Counts from a fixed deal, or from any position."""

    help = "Count the move sequences of a ruleset from a fixed deal, depth by depth."
    requires_system_checks: tuple[str, ...] = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the command line."""
        parser.add_argument("ruleset")
        parser.add_argument("--depth", type=_depth, required=True, help="moves in a row")
        parser.add_argument("--players", type=int, help="default: as few as the ruleset allows")
        parser.add_argument("--position", metavar="LINE", help="count from here, not from a deal")
        add_option_argument(parser)
        parser.add_argument("--write", action="store_true", help=f"store in {STORED.name}")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Count, print, and store if asked to."""
        if options["write"] and (options["position"] or options["option"]):
            raise CommandError("only the counts of a ruleset's own fixed deal are stored")
        agreed = read_options(options["option"])
        try:
            state = _state(options["ruleset"], agreed, options["players"], options["position"])
        except UnknownRuleset as error:
            raise CommandError(f"no ruleset is called {error}") from None
        except (InvalidOptions, InvalidPosition) as error:
            raise CommandError(str(error)) from None
        counts = self._count(state, options["depth"])
        if options["write"]:
            stored = stored_counts() | {
                options["ruleset"]: {"players": state.seats, "counts": counts}
            }
            store_counts(stored)

    def _count(self, state: AnyState, depth: int) -> list[int]:
        bar = ProgressBar(self.stderr, "perft", "moves")
        counts = perft(state, depth, bar.show)
        bar.end()
        for level, count in enumerate(counts, 1):
            self.stdout.write(f"{level:3} {count:16,}")
        return list(counts)


def stored_counts() -> Counts:
    """Players and counts by ruleset id."""
    counts: Counts = json.loads(STORED.read_text("utf-8"))
    return counts


def store_counts(counts: Counts) -> None:
    """Write them in the order of the rulesets, one a line."""
    order = [name for name in ruleset_ids() if name in counts]
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(counts[name])}" for name in order)
    STORED.write_text(f"{{\n{lines}\n}}\n", "utf-8")


def _depth(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise ArgumentTypeError("a number from 1")
    return int(text)


def _state(
    ruleset_id: str, agreed: Mapping[str, object], players: int | None, position: str | None
) -> AnyState:
    if position is not None:
        return read_line(ruleset(ruleset_id, agreed).rules, position)
    players = players or players_range(ruleset(ruleset_id, agreed).rules)[0]
    return first_state(ruleset(ruleset_id, agreed, players).rules, players)
