"""What players are told of their games, and how far each player's news is numbered."""

from django.db import models

from games.models.players import Player


class Notice(models.Model):
    """One thing that a player is told of one of his games; written with the event it tells of.

    `position` is its number among the player's notices. It is given after the commit, by whoever
    reads first: a number given by the move would make games of the same player wait for each other.
    `hooked` marks what webhooks have still to be sent for. No foreign keys: each would cost every
    move a look at another row.
    """

    class Kind(models.IntegerChoices):
        """In the order in which notices of one version are told."""

        GAME_STARTED = 1, "game_started"
        YOUR_TURN = 2, "your_turn"
        GAME_FINISHED = 3, "game_finished"
        REMATCH_OFFERED = 4, "rematch_offered"

    pk = models.CompositePrimaryKey("game_id", "version", "seat", "kind")
    game_id = models.UUIDField()
    version = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    kind = models.PositiveSmallIntegerField(choices=Kind)
    player_id = models.UUIDField()
    deadline = models.DateTimeField(null=True)
    at = models.DateTimeField()
    position = models.PositiveBigIntegerField(null=True)
    hooked = models.BooleanField(default=False)

    class Meta:
        """By game to write, by player to read, by time to forget; what waits is found by itself."""

        db_table = "notice"
        constraints = [
            models.UniqueConstraint(
                fields=["player_id", "position"],
                name="notice_position_unique",
                condition=models.Q(position__isnull=False),
            ),
        ]
        indexes = [
            models.Index(
                fields=["player_id"],
                name="notice_unnumbered",
                condition=models.Q(position__isnull=True),
            ),
            models.Index(
                fields=["player_id", "at"], name="notice_hooked", condition=models.Q(hooked=True)
            ),
            models.Index(fields=["at"], name="notice_at"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.version} of {self.game_id}"


class Inbox(models.Model):
    """The last number given to a notice of a player; whoever numbers holds its row."""

    player = models.OneToOneField(Player, on_delete=models.CASCADE, primary_key=True)
    last = models.PositiveBigIntegerField(default=0)

    class Meta:
        """Read by hand-written statements."""

        db_table = "inbox"

    def __str__(self) -> str:
        return f"{self.last} notices of {self.player_id}"
