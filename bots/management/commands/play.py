"""``manage.py play throw_in --bots 3``: a game in the terminal; no server, no database."""

import io
import os
import secrets
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from bots.brains import UnknownBrain, brain_get, brain_list
from bots.brains.registry import Entry
from bots.console.screen import Screen
from bots.console.session import LeftError, Session
from bots.console.words import Words
from bots.table import Table
from games.management.options import add_option_argument, read_options
from games.rules.errors import InvalidOptions
from games.rules.rulesets.registry import Ruleset, ruleset, ruleset_ids
from games.rules.texts import ruleset_text

INTERRUPTED = 130


class Command(BaseCommand):
    """Play a whole game against bots."""

    help = "Play a game in the terminal against bots; needs neither a server nor a database."
    requires_system_checks: tuple[str, ...] = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the command line."""
        parser.add_argument("ruleset", nargs="?", default="throw_in", help="id or Russian name")
        parser.add_argument("--bots", type=int, default=1, help="how many opponents (default 1)")
        names = ", ".join(entry.name for entry in brain_list())
        parser.add_argument("--brain", default="greedy", help=f"who plays them: {names}")
        parser.add_argument("--seed", help="the same seed deals the same game")
        parser.add_argument("--lang", choices=["en", "ru"], default=_system_language())
        parser.add_argument("--deck", type=int, metavar="N", help="short for -o deck_size=N")
        add_option_argument(parser)
        parser.add_argument("--auto", action="store_true", help="a bot plays your seat as well")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Play until the game is over or the person leaves."""
        _never_fail_to_print()
        try:
            self._session(options).play()
            sys.stdout.flush()
        except LeftError:
            self._leave(options["lang"])
        except KeyboardInterrupt:
            self._leave(options["lang"])
            sys.exit(INTERRUPTED)
        except BrokenPipeError:
            # Whoever read along has left; what is still buffered goes nowhere.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    def _session(self, options: dict[str, Any]) -> Session:
        rules = _rules(options)
        entry, seed = _entry(options["brain"]), options["seed"] or secrets.token_hex(4)
        words = Words(options["lang"])
        names = _names(words, entry, options["bots"])
        screen = Screen(words, names, colours=self._colours(options))
        self._greet(screen, rules, seed)
        brains = dict.fromkeys(range(0 if options["auto"] else 1, len(names)), entry.brain)
        return Session(
            Table(rules, names, seed), brains, 0, screen,
            seed=seed, reads_history=entry.reads_history, read=self._read,
            write=self.stdout.write,
        )  # fmt: skip

    def _greet(self, screen: Screen, rules: Ruleset, seed: str) -> None:
        words = screen.words
        title = words.say(
            "screen.title",
            title=ruleset_text(rules.id).title.text(words.language),
            deck=rules.rules.deck_size,
            seats=len(screen.names),
            seed=seed,
        )
        self.stdout.write(screen.bold(title))
        self.stdout.write(screen.dim(words.say("screen.hint")))
        self.stdout.write("")

    def _colours(self, options: dict[str, Any]) -> bool:
        wanted = options["force_color"] or (self.stdout.isatty() and "NO_COLOR" not in os.environ)
        return bool(wanted and not options["no_color"])

    def _read(self, prompt: str) -> str | None:
        """The next line; what came through a pipe is repeated, so that the record reads well."""
        self.stdout.write(prompt, ending="")
        self.stdout.flush()
        line = sys.stdin.readline()
        if not sys.stdin.isatty():
            self.stdout.write(line.rstrip("\n"))
        return line or None

    def _leave(self, language: str) -> None:
        self.stdout.write("")
        self.stdout.write(Words(language).say("screen.left"))


def _never_fail_to_print() -> None:
    """Let a terminal that has no suit symbols show something else in their place."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def _system_language() -> str:
    named = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG", "")
    return "ru" if named.startswith("ru") else "en"


def _rules(options: dict[str, Any]) -> Ruleset:
    chosen = read_options(options["option"])
    if options["deck"] is not None:
        chosen["deck_size"] = options["deck"]
    try:
        rules = ruleset(_ruleset_id(options["ruleset"]), chosen, options["bots"] + 1)
    except InvalidOptions as fault:
        raise CommandError(f"These options do not go together: {fault}") from None
    return rules


def _ruleset_id(name: str) -> str:
    for known in ruleset_ids():
        if name.lower() in (known, *ruleset_text(known).aliases):
            return known
    raise CommandError(f"No ruleset {name!r}; there are: {', '.join(ruleset_ids())}")


def _entry(name: str) -> Entry:
    try:
        return brain_get(name)
    except UnknownBrain:
        known = ", ".join(entry.name for entry in brain_list())
        raise CommandError(f"No brain {name!r}; there are: {known}") from None


def _names(words: Words, entry: Entry, bots: int) -> tuple[str, ...]:
    numbered = (f"{entry.name}-{number}" for number in range(1, bots + 1))
    return (words.say("screen.you"), *numbered)
