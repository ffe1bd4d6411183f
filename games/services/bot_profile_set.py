"""What a bot's account accepts, as its owner wants it."""

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction

from games.models import BotProfile, Player
from games.rules.errors import UnknownRuleset
from games.rules.rulesets.registry import canonical_id, ruleset_ids
from games.services.errors import ServiceError


def bot_profile_set(
    *,
    player_id: UUID,
    rulesets: Sequence[str],
    seats: Sequence[int],
    concurrency: int,
    options: bool,
) -> BotProfile:
    """Replace the profile: rulesets by id or alias, table sizes, how many games at once.

    Raises ServiceError player.not_bot, UnknownRuleset.
    """
    bots = Player.objects.filter(pk=player_id, kind=Player.Kind.BOT, deleted_at=None)
    with transaction.atomic():
        # The end of the account waits, or has been: no profile is left behind.
        if bots.select_for_update(no_key=True).first() is None:
            raise ServiceError("player.not_bot")
        profile, _ = BotProfile.objects.update_or_create(
            player_id=player_id,
            defaults={
                "rulesets": _known(rulesets),
                "seats": sorted(set(seats)),
                "concurrency": concurrency,
                "options": options,
            },
        )
    return profile


def _known(names: Sequence[str]) -> list[str]:
    """The ids, each once, in the order in which rulesets are shown."""
    wanted = {canonical_id(name) for name in names}
    for unknown in wanted - set(ruleset_ids()):
        raise UnknownRuleset(unknown)
    return [name for name in ruleset_ids() if name in wanted]
