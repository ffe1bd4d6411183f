"""Options of a ruleset on the command line: ``-o deck_size=24``."""

import json
from collections.abc import Iterable

from django.core.management.base import CommandError, CommandParser


def add_option_argument(parser: CommandParser) -> None:
    """Declare ``-o NAME=VALUE``; what is given becomes the list `option`."""
    parser.add_argument(
        "-o", "--option", action="append", default=[], metavar="NAME=VALUE",
        help="an option of the ruleset, as often as you like",
    )  # fmt: skip


def read_options(given: Iterable[str]) -> dict[str, object]:
    """Values by name, read as JSON or else as text. Raises CommandError for what has no ``=``."""
    return dict(map(_read, given))


def _read(text: str) -> tuple[str, object]:
    name, equals, value = text.partition("=")
    if not equals:
        raise CommandError(f"An option is NAME=VALUE, not {text!r}")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value
