"""``manage.py replay_game GAME``: a finished game in the terminal, move by move."""

import sys
import time
from typing import Any

from django.core.management.base import CommandError, CommandParser

from bots.console.judged import Judged, report_for
from bots.console.records import NoRecordError, Told, told_by
from bots.console.replaying import Replay, steps_of
from bots.console.screen import Screen
from bots.console.terminal import TerminalCommand
from bots.console.words import Words


class Command(TerminalCommand):
    """Shows a game that is over, from the database or from a file."""

    help = "Step through a finished game: its id, or a file with a JSON replay or a text record."
    left = "replay.left"

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the command line."""
        super().add_arguments(parser)
        parser.add_argument("game", help="id of a game in the database, or a file")
        parser.add_argument("--seat", type=int, metavar="N", help="only what seat N saw")
        parser.add_argument("--from", type=int, default=0, dest="start", help="begin at a version")
        parser.add_argument(
            "--analysis",
            action="store_true",
            help="say what each move lost, with --seat of its own",
        )
        parser.add_argument("--auto", type=float, metavar="SECONDS", help="go on by itself")

    def session(self, options: dict[str, Any]) -> None:
        """Show the steps, as the person asks for them, or all of them to a pipe."""
        replay = self._replay(options)
        start = replay.place_of(options["start"])
        if options["auto"] is None and sys.stdin.isatty():
            replay.walk(start, self.read)
            return
        for place in range(start, len(replay.steps)):
            replay.show(place)
            self.stdout.flush()
            time.sleep(options["auto"] or 0)

    def _replay(self, options: dict[str, Any]) -> Replay:
        try:
            told = told_by(options["game"])
            steps = steps_of(told.events)
        except NoRecordError as error:
            raise CommandError(str(error)) from None
        seat = options["seat"]
        if seat is not None and not 0 <= seat < len(told.sitters):
            raise CommandError(f"there are {len(told.sitters)} seats, the first is 0")
        names = [sitter.name if sitter else "–" for sitter in told.sitters]
        screen = Screen(Words(options["lang"]), names, colours=self.colours(options))
        judged = self._judged(options, told, screen) if options["analysis"] else None
        write = self.stdout.write
        return Replay(steps, told.sitters, screen, seat=seat, judged=judged, write=write)

    def _judged(self, options: dict[str, Any], told: Told, screen: Screen) -> Judged:
        try:
            return Judged(report_for(told), screen, options["seat"])
        except ValueError as error:
            raise CommandError(str(error)) from None
