"""``manage.py bot_decision GAME SEQ``: why a bot made a move, and whether it would again."""

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

import msgspec
from django.core.management.base import BaseCommand, CommandError

from bots.brains.registry import Answer, Score
from bots.models import Decision
from bots.rerun import NoDecisionError, decision_rerun

MOST_SCORES = 12


class Command(BaseCommand):
    """Only reads; ends with 1 if another move comes out."""

    help = "Let a bot think again about a move of a finished game, with the seed that it had then."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which move."""
        parser.add_argument("game", type=UUID)
        parser.add_argument("seq", type=int, help="the number of the move's first event")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Think, and say what came out."""
        try:
            again = decision_rerun(options["game"], options["seq"])
        except NoDecisionError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(told(again.decision))
        for score in again.thought.scores[:MOST_SCORES]:
            self.stdout.write(scored(score))
        answer = written(again.thought.move)
        if not again.same:
            raise CommandError(f"another move comes out: {answer}", returncode=1)
        self.stdout.write(f"the same move comes out: {answer}")


def told(decision: Decision) -> str:
    """The decision on one line."""
    effort = f"{decision.iterations} iterations" if decision.iterations else "no search"
    return (
        f"{decision.brain}, version {decision.brain_version}, in seat {decision.seat} "
        f"at version {decision.at_version}: budget {decision.budget}, {effort}"
        f"{', solved' if decision.exact else ''}, seed {bytes(decision.seed).hex()}"
    )


def scored(score: Score) -> str:
    """One move, how often it was tried, and its share."""
    return f"  {score.share:6.1%}  {score.tries:6}  {written(score.move)}"


def written(move: Answer) -> str:
    """A move as it is sent."""
    return msgspec.json.encode(move).decode()
