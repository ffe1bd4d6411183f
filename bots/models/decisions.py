"""How bots came to their moves."""

from django.db import models


class Decision(models.Model):
    """What a brain did for one move, written with the move's events; nobody's until the end.

    `seq` is the move's first event, `at_version` the version that the brain was shown, `seed` what
    its chance was made of, `iterations` how many of its `budget` it used, if it counts them.
    `trouble` is why a safe move was made in place of the brain's own; empty if there was none.
    No foreign key: it would cost every move a look at another row.
    """

    pk = models.CompositePrimaryKey("game_id", "seq")
    game_id = models.UUIDField()
    seq = models.PositiveIntegerField()
    at_version = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    brain = models.CharField(max_length=30)
    brain_version = models.PositiveIntegerField()
    seed = models.BinaryField(max_length=32)
    budget = models.PositiveIntegerField()
    iterations = models.PositiveIntegerField(default=0)
    exact = models.BooleanField(default=False)
    trouble = models.CharField(max_length=10, default="", blank=True)

    def __str__(self) -> str:
        return f"{self.brain} at {self.seq} of {self.game_id}"
