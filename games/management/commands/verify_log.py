"""`manage.py verify_log`: whether every log is what was written."""

from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from games.management.progress import ProgressBar
from games.models import Game
from games.store.audit import Fault, Stored, faults, orphans, stored_games

NONE = UUID(int=0)


class Command(BaseCommand):
    """Only reads, while the server runs; ends with 1 if anything is wrong."""

    help = (
        "Check all games: numbers, hash chain, commitments, snapshot, and every move by the rules."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What to check, and how closely."""
        parser.add_argument("--game", type=UUID, action="append", help="only this one (repeat it)")
        parser.add_argument("--chain-only", action="store_true", help="decide no move again")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Check, name the first fault of each game, sum up."""
        found: list[Fault] = [Fault(game, 1, "events of no game") for game in orphans()]
        games = events = 0
        total = len(options["game"] or ()) or Game.objects.count()
        bar = ProgressBar(self.stderr, "verified")
        for batch in batches(options["game"]):
            found += faults(batch, rules=not options["chain_only"])
            games += len(batch)
            events += sum(len(game.rows) for game in batch)
            bar.show(games, max(total, games))
        bar.end()
        for fault in found:
            self.stdout.write(f"game {fault.game}, event {fault.seq}: {fault.reason}")
        summary = f"{games} games, {events} events, {len(found)} at fault"
        if found:
            raise CommandError(summary)
        self.stdout.write(summary)


def batches(wanted: list[UUID] | None) -> Iterator[list[Stored]]:
    """The games by and by; only the wanted ones if there are such."""
    if wanted:
        # Each is the first game after the id just before its own.
        for game_id in sorted(wanted):
            yield [
                game for game in stored_games(UUID(int=game_id.int - 1), 1) if game.id == game_id
            ]
        return
    after = NONE
    while batch := stored_games(after):
        yield batch
        after = batch[-1].id
