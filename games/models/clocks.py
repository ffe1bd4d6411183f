"""What the clocks know of the service itself: when it was last in order, and when it was not."""

from typing import Final

from django.db import models

ONLY: Final = 1


class Heartbeat(models.Model):
    """When the clocks were last looked after, by the database's clock. There is one row."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=ONLY)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.at)


class Outage(models.Model):
    """A time in which nobody looked after the clocks: turns that ran are longer by it.

    Games up to `reached`, in the order of their ids, have been told; `settled`: all have.
    """

    id = models.BigAutoField(primary_key=True)
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField()
    reached = models.UUIDField(null=True)
    settled = models.BooleanField(default=False)

    class Meta:
        """Outages are few: nothing is found by an index but what began at one moment."""

        constraints = [models.UniqueConstraint(fields=["began_at"], name="outage_once")]

    def __str__(self) -> str:
        return f"{self.began_at} to {self.ended_at}"
