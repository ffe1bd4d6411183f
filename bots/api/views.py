"""The bots that can be given a seat: the server's brains, and the programs of third parties."""

from collections.abc import Sequence
from typing import Annotated, Final, Literal

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from bots.brains import brain_list
from bots.brains.ladder import strengths_of
from bots.brains.registry import Entry
from games.api.base import ApiView
from games.api.bot_profiles import BotProfileView, shown_profile
from games.api.operations import operation
from games.api.pagination import Page, PageQuery, decode_cursor, make_page
from games.models import BotProfile
from games.models.player_names import name_key
from games.rules.rulesets.registry import canonical_id, family_of_ruleset
from games.selectors.bot_profile_list import bot_profile_list, playing_count

# More than any table has.
MOST_SEATS: Final = 100
Kind = Literal["brain", "player"]
KindOut = Annotated[str, msgspec.Meta(extra_json_schema={"enum": ["brain", "player"]})]


class BotsQuery(PageQuery, frozen=True):
    """Filters: brains of the server's or players alone; what plays a ruleset, at tables of a size.

    Brains play at every size.
    """

    kind: Kind | None = None
    ruleset: str | None = None
    seats: Annotated[int, msgspec.Meta(ge=1, le=MOST_SEATS)] | None = None


class BotItem(msgspec.Struct, frozen=True):
    """A bot. `id` names it as `brain` or `player`, by its `kind`, where a seat is given to it.

    `families` are those it can play. `strength` is a brain's on the Elo scale on which `random` has
    1000, in throw-in, null where nobody has measured it; `strengths` are by ruleset. `accepts` are
    the tables at which a player lets itself be seated, `playing` its games now.
    """

    id: str
    kind: KindOut
    title: str
    families: tuple[str, ...]
    strength: int | None = None
    strengths: dict[str, int] = {}
    version: int | None = None
    accepts: BotProfileView | None = None
    playing: int | None = None


class BotsView(ApiView):
    """`/bots`"""

    @operation("bot_list", access="ignored", query=BotsQuery, answer=Page[BotItem])
    def get(self, request: Request) -> Response:
        """Every bot that can be given a seat, with titles in the language asked for.

        First the server's brains, then the bots of third parties that accept invitations.
        """
        query = self.query(BotsQuery)
        after = decode_cursor(tuple[Kind, str], query.cursor) or ("brain", "")
        found = [*self._brains(query, after), *_players(query, after)]
        return self.page(make_page(found, query.size, key=_key, show=lambda item: item))

    def _brains(self, query: BotsQuery, after: tuple[Kind, str]) -> list[BotItem]:
        if query.kind == "player" or after[0] == "player":
            return []
        family = query.ruleset and family_of_ruleset(canonical_id(query.ruleset))
        return [
            _brain(entry, self.language)
            for entry in brain_list()
            if entry.name > after[1] and (not query.ruleset or family in entry.families)
        ]


def _players(query: BotsQuery, after: tuple[Kind, str]) -> list[BotItem]:
    if query.kind == "brain":
        return []
    profiles = bot_profile_list(
        ruleset=canonical_id(query.ruleset) if query.ruleset else None,
        seats=query.seats,
        after=after[1] if after[0] == "player" else None,
        limit=query.size + 1,
    )
    playing = playing_count([profile.player_id for profile in profiles]) if profiles else {}
    return [_player(profile, playing.get(profile.player_id, 0)) for profile in profiles]


def _key(item: BotItem) -> Sequence[str]:
    return (item.kind, item.id if item.kind == "brain" else name_key(item.id))


def _brain(entry: Entry, language: str) -> BotItem:
    return BotItem(
        id=entry.name,
        kind="brain",
        title=entry.title[language],
        families=entry.families,
        strength=entry.strength,
        strengths=strengths_of(entry.name, entry.version),
        version=entry.version,
    )


def _player(profile: BotProfile, playing: int) -> BotItem:
    families = dict.fromkeys(family_of_ruleset(name) for name in profile.rulesets)
    return BotItem(
        id=profile.player.name,
        kind="player",
        title=profile.player.name,
        families=tuple(family for family in families if family),
        accepts=shown_profile(profile),
        playing=playing,
    )
