"""Games: the head of each, who sits there, its append-only log, and what keeps retries single."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from uuid_utils.compat import uuid7

from games.models.players import Player


class Game(models.Model):
    """The head of a game's log. `snapshot` is a cache of the folded log and may be dropped.

    `server_seed`, `chain_secret` and `bot_secret` are 32 bytes each and stay here until the end.
    `reserved` are the accounts that alone may sit down, until `reserved_until`; empty: anybody may.
    `due_at` is when to look whether a turn's time is up: at its deadline or before.
    `turn_seconds` is that of its clock; `waiting_since` when an open game was last changed.
    `shown_version` is where those who only watch stand, if they are behind.
    """

    class Status(models.TextChoices):
        """Where a game stands."""

        OPEN = "open"
        RUNNING = "running"
        FINISHED = "finished"

    class Visibility(models.TextChoices):
        """Who may see the game."""

        PUBLIC = "public"
        PRIVATE = "private"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    creator = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    ruleset = models.CharField(max_length=80)
    options = models.JSONField(default=dict)
    visibility = models.CharField(max_length=7, choices=Visibility)
    rated = models.BooleanField()
    invite = models.CharField(max_length=32, blank=True, default="")
    match_id = models.UUIDField()
    game_number = models.PositiveIntegerField(default=1)
    seats = models.PositiveSmallIntegerField()
    reserved = ArrayField(models.UUIDField(), default=list, db_default=[])
    reserved_until = models.DateTimeField(null=True, blank=True)
    status = models.CharField(max_length=8, choices=Status, default=Status.OPEN)
    version = models.PositiveIntegerField(default=0)
    head_hash = models.BinaryField(max_length=32)
    snapshot = models.BinaryField(null=True)
    server_seed = models.BinaryField(max_length=32)
    chain_secret = models.BinaryField(max_length=32)
    bot_secret = models.BinaryField(max_length=32)
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField(null=True, blank=True)
    turn_seconds = models.PositiveIntegerField(null=True, blank=True)
    free_seats = models.PositiveSmallIntegerField(default=0, db_default=0)
    waiting_since = models.DateTimeField(null=True, blank=True)
    shown_version = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        """Lists of games go by status, newest first; of a match one game at a time goes on."""

        permissions = (("void_game", "Can void a game"),)
        constraints = [
            models.UniqueConstraint(
                fields=["match_id"],
                condition=~models.Q(status="finished"),
                name="game_match_one_at_a_time",
            ),
        ]
        indexes = [
            models.Index(fields=["status", "-id"], name="game_status"),
            models.Index(fields=["match_id", "game_number"], name="game_match"),
            models.Index(
                fields=["finished_at", "id"],
                name="game_finished",
                condition=models.Q(status="finished", visibility="public"),
            ),
            models.Index(
                fields=["reserved_until"],
                name="game_reserved",
                condition=models.Q(status="open", reserved_until__isnull=False),
            ),
            models.Index(
                fields=["due_at"], name="game_due", condition=models.Q(due_at__isnull=False)
            ),
            models.Index(
                fields=["waiting_since"],
                name="game_waiting",
                condition=models.Q(waiting_since__isnull=False),
            ),
            models.Index(
                fields=["ruleset", "-id"],
                name="game_lobby",
                condition=models.Q(status="open", visibility="public"),
            ),
            models.Index(
                fields=["creator", "-id"],
                name="game_creator_unfinished",
                condition=~models.Q(status="finished"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.ruleset} {self.id}"


class GameSeat(models.Model):
    """Who sits where: the log's joins and leaves as rows, to find a player's games by.

    `is_over` is set with the end of the game: what a player has to do is found among the others.
    """

    id = models.BigAutoField(primary_key=True)
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="seat_rows")
    seat = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="seats")
    is_over = models.BooleanField(default=False, db_default=False)

    class Meta:
        """A seat has one owner."""

        constraints = [
            models.UniqueConstraint(fields=["game", "seat"], name="game_seat_unique"),
        ]
        indexes = [
            models.Index(fields=["player", "-game"], name="game_seat_player"),
            models.Index(
                fields=["player", "-game"],
                name="game_seat_unfinished",
                condition=models.Q(is_over=False),
            ),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat} of {self.game_id}"


class GameEvent(models.Model):
    """One fact. Rows are inserted and read, never changed: the database sees to it."""

    id = models.BigAutoField(primary_key=True)
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="events")
    seq = models.PositiveIntegerField()
    type = models.CharField(max_length=30)
    schema_version = models.PositiveSmallIntegerField()
    data = models.JSONField()
    at = models.DateTimeField()
    hash = models.BinaryField(max_length=32)

    class Meta:
        """The number of an event in its game is the last line of concurrency control."""

        constraints = [
            models.UniqueConstraint(fields=["game", "seq"], name="game_event_seq_unique"),
            models.CheckConstraint(condition=models.Q(seq__gte=1), name="game_event_seq_positive"),
        ]

    def __str__(self) -> str:
        return f"{self.seq} {self.type}"


class IdempotencyKey(models.Model):
    """The stored answer of a write, found again by the player's own key for the path.

    `game` is the game that was written to: keys can be archived or dropped with their game.
    """

    id = models.BigAutoField(primary_key=True)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    game = models.ForeignKey(Game, on_delete=models.PROTECT, null=True, related_name="+")
    path = models.CharField(max_length=120)
    key = models.CharField(max_length=255)
    fingerprint = models.BinaryField(max_length=32)
    status = models.PositiveSmallIntegerField()
    headers = models.JSONField()
    body = models.BinaryField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """A key belongs to the player and the path."""

        constraints = [
            models.UniqueConstraint(
                fields=["player", "path", "key"], name="idempotency_key_unique"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.path} {self.key}"


class DueTurn(models.Model):
    """A bot owes a move at this version; written with the move before it, so nothing is lost.

    `brain` is who owes it; empty in rows of an older release.
    """

    game = models.OneToOneField(Game, on_delete=models.PROTECT, primary_key=True)
    version = models.PositiveIntegerField()
    due_at = models.DateTimeField()
    lease_until = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    brain = models.CharField(max_length=30, default="", db_default="")

    class Meta:
        """The table's name is known to the health page."""

        db_table = "due_turn"
        indexes = [models.Index(fields=["due_at"], name="due_turn_due")]

    def __str__(self) -> str:
        return f"turn {self.version} of {self.game_id}"
