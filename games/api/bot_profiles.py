"""What a bot's account accepts: read and replaced by the bot itself."""

from typing import Annotated

import msgspec
from msgspec import Meta
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import ApiView
from games.api.bodies import Body
from games.api.operations import operation
from games.api.problems import Problem
from games.models import BotProfile
from games.rules.rulesets.schema import MAX_PLAYERS, MIN_PLAYERS
from games.selectors.bot_profile_list import bot_profile_get
from games.services.bot_profile_set import bot_profile_set

MOST_GAMES = 1000
TableSize = Annotated[int, Meta(ge=MIN_PLAYERS, le=MAX_PLAYERS)]


class BotProfileBody(Body, frozen=True):
    """The tables at which others may seat this bot: by ruleset, by size, so many at once.

    `concurrency` 0 accepts none; `options`: also tables with options of their own.
    """

    rulesets: Annotated[list[Annotated[str, Meta(max_length=80)]], Meta(max_length=200)]
    seats: Annotated[list[TableSize], Meta(max_length=20)]
    concurrency: Annotated[int, Meta(ge=0, le=MOST_GAMES)]
    options: bool = False


class BotProfileView(msgspec.Struct, frozen=True):
    """The same as it stands; nothing is accepted until it is set."""

    rulesets: list[str]
    seats: list[int]
    concurrency: int
    options: bool


def shown_profile(profile: BotProfile | None) -> BotProfileView:
    """A profile, or what stands in for none."""
    if profile is None:
        return BotProfileView([], [], 0, options=False)
    return BotProfileView(
        profile.rulesets, profile.seats, profile.concurrency, options=profile.options
    )


class MyBotProfileView(ApiView):
    """`/players/me/bot-profile`"""

    @operation("bot_profile_get", answer=BotProfileView, codes=("player.not_bot",))
    def get(self, request: Request) -> Response:
        """What your bot accepts."""
        if self.caller.kind != "bot":
            raise Problem("player.not_bot")
        profile = bot_profile_get(player_id=self.caller.player_id)
        return self.answer(shown_profile(profile))

    @operation(
        "bot_profile_set",
        scope="tokens:manage",
        body=BotProfileBody,
        answer=BotProfileView,
        codes=("player.not_bot", "rules.unknown"),
    )
    def put(self, request: Request) -> Response:
        """Say which tables others may seat your bot at.

        `GET /bots` lists it from then on, and creators of games may give it a free seat. It counts
        as busy with `concurrency` open and running games. Rulesets may be named by their aliases.
        """
        body = self.body(BotProfileBody)
        profile = bot_profile_set(
            player_id=self.caller.player_id,
            rulesets=body.rulesets,
            seats=body.seats,
            concurrency=body.concurrency,
            options=body.options,
        )
        return self.answer(shown_profile(profile))
