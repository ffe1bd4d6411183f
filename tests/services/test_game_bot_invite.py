"""Invitations of one bot at the same moment: it never plays more games than it accepts."""

from functools import partial
from uuid import UUID

import pytest

from games.models import Player
from games.selectors.bot_profile_list import playing_count
from games.services.bot_profile_set import bot_profile_set
from games.services.errors import ServiceError
from games.services.game_bot_invite import game_bot_invite
from games.services.player_register import player_register
from tests.scores import new_players
from tests.tables import open_table
from tests.threads import at_once

CONCURRENCY = 2


def invited(game_id: UUID, creator: Player) -> str:
    """What became of an invitation."""
    try:
        game_bot_invite(game_id=game_id, player_id=creator.id, name="rob")
    except ServiceError as refusal:
        return f"{refusal.code} {refusal.members.get('reason')}"
    return "seated"


@pytest.mark.django_db(transaction=True)
def test_its_last_place_is_given_away_once() -> None:
    rob = player_register(name="rob", kind="bot").player
    bot_profile_set(
        player_id=rob.id,
        rulesets=["throw_in"],
        seats=[2, 3],
        concurrency=CONCURRENCY,
        options=False,
    )
    creators = new_players(6)
    games = [open_table([creator], seats=2 + number % 2) for number, creator in enumerate(creators)]
    calls = [partial(invited, *one) for one in zip(games, creators, strict=True)]
    outcomes = at_once(calls)
    assert outcomes.count("seated") == CONCURRENCY
    assert outcomes.count("bot.declined busy") == len(creators) - CONCURRENCY
    assert playing_count([rob.id]) == {rob.id: CONCURRENCY}
