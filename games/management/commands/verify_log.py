"""`manage.py verify_log`: whether every log is what was written."""

from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.management.progress import ProgressBar
from games.models import Game
from games.store.anchored import Anchored, anchors
from games.store.audit import Fault, faults
from games.store.stored import Stored, orphans, stored_game, stored_games

NONE = UUID(int=0)
MOST_LINES = 20


class Command(BaseCommand):
    """Only reads, while the server runs; ends with 1 if anything is wrong."""

    help = (
        "Check all games: numbers, hash chain, commitments, snapshot, and every move by the rules."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What to check, and how closely."""
        parser.add_argument("--game", type=UUID, action="append", help="only this one (repeat it)")
        parser.add_argument("--chain-only", action="store_true", help="decide no move again")
        parser.add_argument(
            "--anchors",
            action="append",
            help="the file of anchored heads, or '' for none (repeat it for older files)",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Check, name the first fault of each game, sum up."""
        wanted = options["game"]
        given = [settings.ANCHOR_FILE] if options["anchors"] is None else options["anchors"]
        paths = [Path(path) for path in given if path]
        # Heads first: games go on meanwhile.
        anchored = self._anchors(paths)
        tally = _Tally(unsigned=anchored.unsigned)
        if not wanted:
            tally.faults += [Fault(game, 1, "events of no game") for game in orphans()]
        bar = ProgressBar(self.stderr, "verified")
        total = len(wanted or ()) or Game.objects.count()
        for batch in batches(wanted):
            tally.faults += faults(batch, anchored, rules=not options["chain_only"])
            tally.count(batch, anchored)
            bar.show(tally.games, max(total, tally.games))
        bar.end()
        gone = (set(wanted) if wanted else anchored.marks.keys()) - tally.seen
        tally.faults += [Fault(game, 1, "there is no such game") for game in sorted(gone)]
        self._report(tally, bool(paths))

    def _anchors(self, paths: list[Path]) -> Anchored:
        there = [path for path in paths if path.exists()]
        for path in paths:
            if path not in there:
                self.stderr.write(f"{path}: no heads are anchored yet")
        try:
            return anchors(*there)
        except OSError as error:
            raise CommandError(f"anchors: {error}") from error

    def _report(self, tally: "_Tally", compared: bool) -> None:
        for path, line in tally.unsigned[:MOST_LINES]:
            self.stdout.write(f"{path}, line {line}: not signed under this SECRET_KEY")
        for fault in tally.faults:
            self.stdout.write(f"game {fault.game}, event {fault.seq}: {fault.reason}")
        known = (
            f"{tally.anchored} heads anchored" if compared else "no anchor file: cuts do not show"
        )
        summary = f"{tally.games} games, {tally.events} events, {known}"
        if tally.faults or tally.unsigned:
            bad = f", {len(tally.unsigned)} lines not signed" if tally.unsigned else ""
            raise CommandError(f"{summary}, {len(tally.faults)} at fault{bad}")
        self.stdout.write(f"{summary}, 0 at fault")


@dataclass
class _Tally:
    """What was looked at, and what was wrong with it."""

    unsigned: tuple[tuple[Path, int], ...]
    faults: list[Fault] = field(default_factory=list)
    games: int = 0
    events: int = 0
    anchored: int = 0
    seen: set[UUID] = field(default_factory=set)

    def count(self, batch: list[Stored], anchored: Anchored) -> None:
        """These games were looked at."""
        self.games += len(batch)
        self.events += sum(len(game.rows) for game in batch)
        self.anchored += sum(game.id in anchored.marks for game in batch)
        self.seen.update(game.id for game in batch)


def batches(wanted: list[UUID] | None) -> Iterator[list[Stored]]:
    """The games by and by; only the wanted ones if there are such."""
    if wanted:
        for found in map(stored_game, sorted(wanted)):
            yield [] if found is None else [found]
        return
    after = NONE
    while batch := stored_games(after):
        yield batch
        after = batch[-1].id
