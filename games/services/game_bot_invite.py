"""Seating a third party's bot, where its profile accepts the table."""

from collections.abc import Sequence
from uuid import UUID

from games.models import BotProfile, Player
from games.rules.events import Event
from games.rules.game import Game
from games.selectors.bot_profile_list import playing_count
from games.selectors.player_get import player_get_by_name
from games.services.errors import ServiceError
from games.services.game_advance import Outcome, game_advance
from games.services.game_seats import check_creator, seat_taken
from games.store.log import Head


def game_bot_invite(*, game_id: UUID, player_id: UUID, name: str) -> Outcome:
    """Give the first free seat to the bot of this name; only the creator may.

    Raises ServiceError game.not_found, game.not_creator, player.not_found, game.already_joined,
    game.full, game.over, and bot.declined with a `reason`: `not_accepting`, `ruleset`, `options`,
    `seats`, `busy`.
    """

    def decide(head: Head) -> Sequence[Event]:
        check_creator(head, player_id)
        bot = player_get_by_name(name=name)
        if bot is None:
            raise ServiceError("player.not_found")
        if head.game.seat_of(str(bot.id)) is not None:
            raise ServiceError("game.already_joined")
        joined = seat_taken(head, bot.id, Player.Kind.BOT, "")
        _check_accepts(bot, head.game)
        return joined

    return game_advance(game_id, decide)


def _check_accepts(bot: Player, game: Game) -> None:
    """Whoever invites the same bot meanwhile waits for its row, so that no two take its last place.

    The seat of this game is written already and is not counted among the others.
    """
    profile = BotProfile.objects.select_for_update().filter(player=bot).first()
    if profile is None or bot.kind != Player.Kind.BOT or not profile.concurrency:
        raise ServiceError("bot.declined", reason="not_accepting")
    if game.ruleset not in profile.rulesets:
        raise ServiceError("bot.declined", reason="ruleset")
    if game.options and not profile.options:
        raise ServiceError("bot.declined", reason="options")
    if len(game.chairs) not in profile.seats:
        raise ServiceError("bot.declined", reason="seats")
    if playing_count([bot.id]).get(bot.id, 0) > profile.concurrency:
        raise ServiceError("bot.declined", reason="busy")
