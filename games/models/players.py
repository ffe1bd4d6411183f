"""Accounts and the tokens that speak for them."""

from typing import Final

from django.contrib.postgres.fields import ArrayField
from django.db import models
from uuid_utils.compat import uuid7

SCOPES: Final = ("games:read", "games:play", "games:create", "tokens:manage", "webhooks:manage")


class Player(models.Model):
    """A person or a program that plays; an anonymised account keeps its row and its id.

    `password` is a Django hash, empty for a guest. `name_key` decides whether a name is free.
    """

    class Kind(models.TextChoices):
        """Who moves the cards."""

        HUMAN = "human"
        BOT = "bot"

    class Language(models.TextChoices):
        """The language of texts when a request asks for none."""

        EN = "en"
        RU = "ru"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    name = models.CharField(max_length=30)
    name_key = models.CharField(max_length=120)
    kind = models.CharField(max_length=5, choices=Kind, default=Kind.HUMAN)
    password = models.CharField(max_length=128, blank=True, default="")
    language = models.CharField(max_length=2, choices=Language, default=Language.EN)
    created_at = models.DateTimeField(auto_now_add=True)
    deleted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """A key names one account; the kinds are a closed list."""

        constraints = [
            models.UniqueConstraint(fields=["name_key"], name="player_name_key_unique"),
            models.CheckConstraint(
                condition=models.Q(kind__in=["human", "bot"]), name="player_kind_known"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class ApiToken(models.Model):
    """A right to act for a player: only the SHA-256 of the token is kept."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="tokens")
    digest = models.BinaryField(max_length=32, unique=True)
    scopes = ArrayField(models.CharField(max_length=20))
    label = models.CharField(max_length=100, blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.label or 'token'} {self.id}"
