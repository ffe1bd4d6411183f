"""The end of an account."""

import secrets
from contextlib import suppress
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from games.models import ApiToken, BotProfile, Game, GameSeat, Player, QuickMatch, Webhook
from games.services.errors import ServiceError
from games.services.game_seats import game_leave
from games.services.webhook_manage import webhooks_remove


def player_delete(*, player_id: UUID) -> None:
    """Anonymise the account; its tokens, webhooks and profile go, games keep the player's id.

    Before that the player leaves every table and waits for none, so that nobody waits for him.

    The new name has 80 random bits: the id is public, and a name made of it could be taken
    beforehand. The old one is free again.
    """
    _leave_all(player_id)
    alias = f"deleted-{secrets.token_hex(10)}"
    with transaction.atomic():
        Player.objects.filter(pk=player_id, deleted_at=None).update(
            name=alias, name_key=alias, password="", deleted_at=timezone.now()
        )
        ApiToken.objects.filter(player_id=player_id).delete()
        webhooks_remove(Webhook.objects.filter(player_id=player_id))
        BotProfile.objects.filter(player_id=player_id).delete()
    # Who was just sitting down, or asking for a game, had the account's row, and sits or waits
    # now; later ones are refused.
    _leave_all(player_id)


def _leave_all(player_id: UUID) -> None:
    """Wait for no game any more, then leave those there are: a ticket may have become one."""
    tickets = QuickMatch.objects.filter(player=player_id, status=QuickMatch.Status.WAITING)
    tickets.update(status=QuickMatch.Status.CANCELLED)
    seats = GameSeat.objects.filter(player=player_id).exclude(game__status=Game.Status.FINISHED)
    for game_id in seats.values_list("game", flat=True):
        with suppress(ServiceError):
            game_leave(game_id=game_id, player_id=player_id)
