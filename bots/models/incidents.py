"""What went wrong with bots' turns, counted."""

from django.db import models


class Incident(models.Model):
    """How often one kind of trouble has been met with one brain (empty where none is at fault)."""

    class Kind(models.TextChoices):
        """Kinds of trouble; none of them stops a game."""

        RAISED = "raised", "the brain raised an exception"
        OVERTIME = "overtime", "the brain thought too long"
        ILLEGAL = "illegal", "the brain's answer was refused"
        LOST = "lost", "the turn was tried too often and made without thinking"
        SWEPT = "swept", "the sweeper found an overdue turn"
        BROKER = "broker", "a turn could not be sent to the workers"

    id = models.BigAutoField(primary_key=True)
    kind = models.CharField(max_length=10, choices=Kind)
    brain = models.CharField(max_length=30, default="", blank=True)
    count = models.PositiveBigIntegerField(default=0)
    last_at = models.DateTimeField()

    class Meta:
        """One row for each kind and brain."""

        constraints = [
            models.UniqueConstraint(fields=["kind", "brain"], name="bot_incident_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.brain}: {self.count}"
