"""Players who want a game at once, with whomever."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from uuid_utils.compat import uuid7

from games.models.games import Game
from games.models.players import Player


class QuickMatch(models.Model):
    """A ticket: what its player would play, and what became of it.

    Tickets with equal `rated` and `turn_seconds` can be matched at a table whose ruleset and number
    of seats both name. From `bots_at` on (null: never) bots may take the free seats.
    `client_seed` is in hex. Without a sign of life until `alive_until` the ticket lapses.
    """

    class Status(models.TextChoices):
        """Waiting; or settled for good."""

        WAITING = "waiting"
        MATCHED = "matched"
        CANCELLED = "cancelled"
        LAPSED = "lapsed"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="quick_matches")
    status = models.CharField(max_length=9, choices=Status, default=Status.WAITING)
    rulesets = ArrayField(models.CharField(max_length=80))
    seats = ArrayField(models.PositiveSmallIntegerField())
    rated = models.BooleanField()
    turn_seconds = models.PositiveIntegerField(null=True)
    bots_at = models.DateTimeField(null=True)
    client_seed = models.CharField(max_length=128, blank=True, default="")
    created_at = models.DateTimeField()
    alive_until = models.DateTimeField()
    game = models.ForeignKey(Game, on_delete=models.PROTECT, null=True, related_name="+")
    seat = models.PositiveSmallIntegerField(null=True)

    class Meta:
        """A player waits with one ticket; those who wait are found in the order they came."""

        db_table = "quick_match"
        constraints = [
            models.UniqueConstraint(
                fields=["player"],
                name="quick_match_one_waiting",
                condition=models.Q(status="waiting"),
            ),
        ]
        indexes = [
            models.Index(
                fields=["rated", "turn_seconds", "id"],
                name="quick_match_waiting",
                condition=models.Q(status="waiting"),
            ),
            models.Index(
                fields=["bots_at"],
                name="quick_match_bots",
                condition=models.Q(status="waiting", bots_at__isnull=False),
            ),
            models.Index(fields=["alive_until"], name="quick_match_age"),
        ]

    def __str__(self) -> str:
        return f"{self.status} {self.id}"
