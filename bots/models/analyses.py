"""Analyses of finished games: asked for, under way, done."""

from django.db import models
from django.utils import timezone


class Analysis(models.Model):
    """One game judged by one version of the analyser, whoever asked for it (`asked_by` first).

    `parts` are the `done` decisions of `of` so far, a line of JSON each; `result` is the report
    as JSON once all are judged. `moved_at` is when the last of them came, `lease_until` until when
    somebody is busy with it, or it is to rest; `attempts` counts beginnings since `moved_at`.
    """

    class Status(models.TextChoices):
        """How far it is."""

        WAITING = "waiting", "nobody has begun it"
        RUNNING = "running", "some decisions are judged"
        DONE = "done", "the result is there"
        FAILED = "failed", "it was begun too often and did not go on"

    pk = models.CompositePrimaryKey("game_id", "version")
    game_id = models.UUIDField()
    version = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=10, choices=Status, default=Status.WAITING)
    done = models.PositiveIntegerField(default=0)
    of = models.PositiveIntegerField(null=True)
    parts = models.BinaryField(default=b"")
    result = models.BinaryField(null=True)
    asked_by = models.UUIDField()
    asked_at = models.DateTimeField(default=timezone.now)
    moved_at = models.DateTimeField(default=timezone.now)
    lease_until = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)

    class Meta:
        """The unfinished ones are few among many."""

        indexes = [
            models.Index(
                fields=["asked_at"],
                condition=models.Q(status__in=["waiting", "running"]),
                name="analysis_unfinished",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}, version {self.version}: {self.status}"
