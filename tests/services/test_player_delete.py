"""The end of an account: nobody is left waiting for it, whatever it was just about to do."""

from contextlib import suppress
from functools import partial
from uuid import UUID

import pytest
from django.db import transaction

from games.models import BotProfile, Game, GameSeat, Player, QuickMatch, Webhook
from games.services.bot_profile_set import bot_profile_set
from games.services.errors import ServiceError
from games.services.game_create import Table, game_create
from games.services.game_seats import game_join
from games.services.player_delete import player_delete
from games.services.quick_match_create import Wish, quick_match_create
from games.services.webhook_manage import webhook_create
from tests.scores import new_player, new_players
from tests.tables import head_of, open_table, refused
from tests.threads import Beside, at_once

pytestmark = pytest.mark.django_db(transaction=True)


def seats_of(player_id: UUID) -> int:
    """How many tables still wait for the account."""
    seats = GameSeat.objects.filter(player=player_id).exclude(game__status=Game.Status.FINISHED)
    return sum(head_of(seat.game_id).game.chairs[seat.seat].brain is None for seat in seats)


def test_a_request_that_was_let_in_before_comes_too_late() -> None:
    ann, bob = new_players(2)
    game_id = open_table([bob], seats=3)
    player_delete(player_id=ann.id)
    joining = partial(game_join, game_id=game_id, player_id=ann.id, kind=ann.kind)
    opening = partial(game_create, creator=ann.id, kind=ann.kind, table=Table("throw_in", 2))
    asking = partial(quick_match_create, player_id=ann.id, wish=Wish(("throw_in",), (2,)))
    for late in (joining, opening, asking):
        with refused("auth.invalid"):
            late()
    assert seats_of(ann.id) == 0
    assert not QuickMatch.objects.exists()


@pytest.mark.parametrize("_again", range(4))
def test_nobody_waits_for_who_sits_down_meanwhile(_again: int) -> None:
    leaver, games = new_player(), [open_table([new_player()], seats=2) for _ in range(5)]

    def join(game_id: UUID) -> None:
        with suppress(ServiceError):
            game_join(game_id=game_id, player_id=leaver.id, kind=leaver.kind)

    joining = [partial(join, game_id) for game_id in games]
    at_once([*joining[:3], partial(player_delete, player_id=leaver.id), *joining[3:]])
    assert Player.objects.get(pk=leaver.id).deleted_at is not None
    assert seats_of(leaver.id) == 0


@pytest.mark.parametrize("is_matched", [False, True])
def test_nobody_is_matched_with_who_asks_meanwhile(is_matched: bool) -> None:
    """The ticket is there, and not to be seen yet, when the end of the account begins."""
    ann, bob = new_players(2)
    wish = Wish(("throw_in",), (2,))
    if is_matched:
        quick_match_create(player_id=bob.id, wish=wish)
    with transaction.atomic():
        ticket = quick_match_create(player_id=ann.id, wish=wish)
        other = Beside(partial(player_delete, player_id=ann.id))
        other.wait_for_lock()
    other.end()
    ticket.refresh_from_db()
    assert ticket.status == ("matched" if is_matched else "cancelled")
    assert seats_of(ann.id) == 0


def test_what_is_made_meanwhile_goes_too() -> None:
    bot = new_player(kind="bot")
    profile = partial(
        bot_profile_set,
        player_id=bot.id,
        rulesets=["throw_in"],
        seats=[2],
        concurrency=1,
        options=False,
    )
    with transaction.atomic():
        profile()
        webhook_create(player_id=bot.id, url="https://example.com/")
        other = Beside(partial(player_delete, player_id=bot.id))
        other.wait_for_lock()
    other.end()
    with refused("player.not_bot"):
        profile()
    with refused("auth.invalid"):
        webhook_create(player_id=bot.id, url="https://example.com/")
    assert not BotProfile.objects.exists()
    assert not Webhook.objects.exists()
