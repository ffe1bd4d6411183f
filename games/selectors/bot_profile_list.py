"""What third parties' bots accept, and how busy they are."""

from collections.abc import Collection
from uuid import UUID

from django.db.models import Count

from games.models import BotProfile, Game, GameSeat


def bot_profile_get(*, player_id: UUID) -> BotProfile | None:
    """A bot's profile, if it ever set one."""
    return BotProfile.objects.filter(player_id=player_id).first()


def bot_profile_list(
    *, ruleset: str | None = None, seats: int | None = None, after: str | None = None, limit: int
) -> list[BotProfile]:
    """Profiles of bots that accept something, with their players, by name beyond `after`.

    `ruleset` and `seats` are what they must accept; `after` is a `name_key`.
    """
    profiles = BotProfile.objects.filter(
        player__deleted_at=None, player__kind="bot", concurrency__gt=0
    ).exclude(rulesets=[]).exclude(seats=[])  # fmt: skip
    if ruleset is not None:
        profiles = profiles.filter(rulesets__contains=[ruleset])
    if seats is not None:
        profiles = profiles.filter(seats__contains=[seats])
    if after is not None:
        profiles = profiles.filter(player__name_key__gt=after)
    return list(profiles.select_related("player").order_by("player__name_key")[:limit])


def playing_count(players: Collection[UUID]) -> dict[UUID, int]:
    """How many open and running games each of these players sits in; nobody with none."""
    seated = GameSeat.objects.filter(
        player__in=players, game__status__in=[Game.Status.OPEN, Game.Status.RUNNING]
    )
    counted = seated.values("player").annotate(games=Count("game", distinct=True))
    return {row["player"]: row["games"] for row in counted.order_by()}
