"""What commands that talk to a person in a terminal have in common."""

import io
import os
import sys
from abc import ABC, abstractmethod
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandParser

from bots.console.session import LeftError
from bots.console.words import Words

INTERRUPTED: Final = 130


class TerminalCommand(BaseCommand, ABC):
    """Runs `session`; whoever goes away, closes the pipe or presses Ctrl-C ends it quietly."""

    left = "screen.left"

    def add_arguments(self, parser: CommandParser) -> None:
        """The language."""
        parser.add_argument("--lang", "--language", choices=["en", "ru"], default=system_language())

    @abstractmethod
    def session(self, options: dict[str, Any]) -> None:
        """Talk to the person."""

    def handle(self, *_args: Any, **options: Any) -> None:
        """Talk until it is over or the person leaves."""
        _never_fail_to_print()
        try:
            self.session(options)
            sys.stdout.flush()
        except LeftError:
            self._leave(options["lang"])
        except KeyboardInterrupt:
            self._leave(options["lang"])
            sys.exit(INTERRUPTED)
        except BrokenPipeError:
            # Whoever read along has left; what is still buffered goes nowhere.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    def colours(self, options: dict[str, Any]) -> bool:
        """Whether to use the terminal's colours."""
        wanted = options["force_color"] or (self.stdout.isatty() and "NO_COLOR" not in os.environ)
        return bool(wanted and not options["no_color"])

    def read(self, prompt: str) -> str | None:
        """The next line; what came through a pipe is repeated, so that the record reads well."""
        self.stdout.write(prompt, ending="")
        self.stdout.flush()
        line = sys.stdin.readline()
        if not sys.stdin.isatty():
            self.stdout.write(line.rstrip("\n"))
        return line or None

    def _leave(self, language: str) -> None:
        self.stdout.write("")
        self.stdout.write(Words(language).say(self.left))


def system_language() -> str:
    """The language that the environment asks for."""
    named = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG", "")
    return "ru" if named.startswith("ru") else "en"


def _never_fail_to_print() -> None:
    """Let a terminal that has no suit symbols show something else in their place."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
