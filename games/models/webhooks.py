"""Addresses that players have their news sent to, and what became of each message."""

from typing import Final

from django.contrib.postgres.fields import ArrayField
from django.db import models
from uuid_utils.compat import uuid7

from games.models.players import Player

WEBHOOK_EVENTS: Final = ("turn.yours", "game.started", "game.finished")


class Webhook(models.Model):
    """Where to send, what, and signed with which secret.

    The secrets are 32 bytes. `former_secret` signs too until `former_until`, so that a receiver
    can change over. `failing_since` is the first failure after the last success.
    """

    class Status(models.TextChoices):
        """Paused by its owner, or given up for failing too long: nothing is sent to these."""

        ENABLED = "enabled"
        PAUSED = "paused"
        FAILING = "failing"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=500)
    events = ArrayField(models.CharField(max_length=20))
    label = models.CharField(max_length=100, blank=True, default="")
    status = models.CharField(max_length=8, choices=Status, default=Status.ENABLED)
    secret = models.BinaryField(max_length=32)
    former_secret = models.BinaryField(max_length=32, null=True)
    former_until = models.DateTimeField(null=True, blank=True)
    failing_since = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """A player has a few; whether he has one at all is asked with every notice."""

        db_table = "webhook"
        indexes = [
            models.Index(
                fields=["player"], name="webhook_enabled", condition=models.Q(status="enabled")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.status} {self.url}"


class WebhookDelivery(models.Model):
    """One message to one webhook: its `id` is the message's, the same at every attempt.

    The content is not kept: it is shown anew from the log, for the player and the version. A test
    message has no game. `next_at` is when to try (again), null once it is settled; `lease_until`
    says that somebody is at it.
    """

    class Status(models.TextChoices):
        """Waiting for an attempt; or settled."""

        PENDING = "pending"
        DELIVERED = "delivered"
        FAILED = "failed"
        DROPPED = "dropped"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    event = models.CharField(max_length=20)
    game_id = models.UUIDField(null=True)
    version = models.PositiveIntegerField(null=True)
    seat = models.PositiveSmallIntegerField(null=True)
    deadline = models.DateTimeField(null=True)
    at = models.DateTimeField()
    status = models.CharField(max_length=9, choices=Status, default=Status.PENDING)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(null=True)
    lease_until = models.DateTimeField(null=True)
    tried_at = models.DateTimeField(null=True)
    response_status = models.PositiveSmallIntegerField(null=True)
    response_start = models.CharField(max_length=200, blank=True, default="")
    error = models.CharField(max_length=100, blank=True, default="")

    class Meta:
        """Told once to each webhook; the log of a webhook newest first; what is due, by time.

        Of each webhook what is due and what somebody is at; what is settled, to forget it.
        """

        db_table = "webhook_delivery"
        constraints = [
            models.UniqueConstraint(
                fields=["webhook", "game_id", "version", "seat", "event"],
                name="webhook_delivery_once",
            ),
        ]
        indexes = [
            models.Index(fields=["webhook", "-id"], name="webhook_delivery_log"),
            models.Index(
                fields=["next_at"],
                name="webhook_delivery_due",
                condition=models.Q(status="pending"),
            ),
            models.Index(
                fields=["webhook", "next_at"],
                name="webhook_delivery_next",
                condition=models.Q(status="pending"),
            ),
            models.Index(
                fields=["webhook", "lease_until"],
                name="webhook_delivery_leased",
                condition=models.Q(status="pending", lease_until__isnull=False),
            ),
            models.Index(
                fields=["at"],
                name="webhook_delivery_settled",
                condition=~models.Q(status="pending"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.status}"
