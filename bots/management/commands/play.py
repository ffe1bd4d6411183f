"""``manage.py play throw_in --bots 3``: a game in the terminal; no server, no database."""

import secrets
from typing import Any

from django.core.management.base import CommandError, CommandParser

from bots.brains import UnknownBrain, brain_get, brain_list
from bots.brains.registry import Entry
from bots.console.screen import Screen
from bots.console.session import Session
from bots.console.terminal import TerminalCommand
from bots.console.words import Words
from bots.table import Table
from games.management.options import add_option_argument, read_options
from games.rules.errors import InvalidOptions
from games.rules.rulesets.registry import Ruleset, ruleset, ruleset_ids
from games.rules.texts import ruleset_text


class Command(TerminalCommand):
    """Play a whole game against bots."""

    help = "Play a game in the terminal against bots; needs neither a server nor a database."
    requires_system_checks: tuple[str, ...] = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the command line."""
        super().add_arguments(parser)
        parser.add_argument("ruleset", nargs="?", default="throw_in", help="id or Russian name")
        parser.add_argument("--bots", type=int, default=1, help="how many opponents (default 1)")
        names = ", ".join(entry.name for entry in brain_list())
        parser.add_argument("--brain", default="greedy", help=f"who plays them: {names}")
        parser.add_argument("--seed", help="the same seed deals the same game")
        parser.add_argument("--deck", type=int, metavar="N", help="short for -o deck_size=N")
        add_option_argument(parser)
        parser.add_argument("--auto", action="store_true", help="a bot plays your seat as well")

    def session(self, options: dict[str, Any]) -> None:
        """Play until the game is over or the person leaves."""
        self._session(options).play()

    def _session(self, options: dict[str, Any]) -> Session:
        rules = _rules(options)
        entry, seed = _entry(options["brain"]), options["seed"] or secrets.token_hex(4)
        words = Words(options["lang"])
        names = _names(words, entry, options["bots"])
        screen = Screen(words, names, colours=self.colours(options))
        self._greet(screen, rules, seed)
        brains = dict.fromkeys(range(0 if options["auto"] else 1, len(names)), entry.brain)
        return Session(
            Table(rules, names, seed), brains, 0, screen,
            seed=seed, reads_history=entry.reads_history, read=self.read,
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
