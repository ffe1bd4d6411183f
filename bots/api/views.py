"""The brains on offer."""

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from bots.brains import brain_list
from bots.brains.registry import Entry
from games.api.base import ApiView
from games.api.operations import operation
from games.api.pagination import Page


class BotItem(msgspec.Struct, frozen=True):
    """A brain: `id` is what `bots` of a new game names, `families` are those it can play.

    `strength` is on the Elo scale on which `random` has 1000, null where nobody has measured it;
    `strengths` are the same by ruleset.
    """

    id: str
    title: str
    families: tuple[str, ...]
    strength: int | None
    version: int


class BotsView(ApiView):
    """`/bots`"""

    @operation("bot_list", access="ignored", answer=Page[BotItem])
    def get(self, request: Request) -> Response:
        """Every brain that can be given a seat, with titles in the language asked for."""
        items = [_item(entry, self.language) for entry in brain_list()]
        return self.answer(Page(items, None))


def _item(entry: Entry, language: str) -> BotItem:
    return BotItem(
        id=entry.name,
        title=entry.title[language],
        families=entry.families,
        strength=entry.strength,
        version=entry.version,
    )
