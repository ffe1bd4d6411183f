"""The pages. What they tell of a running game is what somebody sees who only watches it."""

from typing import Any, Final

import msgspec
from django.contrib.admin import AdminSite, display
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.admin.reading import ReadOnly
from games.models import Game, GameEvent, GameResult, Player
from games.rules.views import redact, reveal
from games.selectors.game_show import game_view, head_at
from games.store import log

_WATCHING: Final = None


class GamePage(ReadOnly):
    """A game's head and its view; seeds, secrets, the snapshot and the invite stay where they are.

    The log is the truth: the view is folded or thawed from it like that of any other watcher.
    """

    shown = (
        *("id", "ruleset", "options", "status", "visibility", "rated", "seats", "creator"),
        *("match_id", "game_number", "version", "created_at", "finished_at"),
    )
    told = ("view", "log")
    list_display = ("id", "ruleset", "status", "visibility", "rated", "version", "created_at")
    list_filter = ("status", "visibility", "rated")
    narrowed = ("status", "visibility", "rated", "match_id")
    ordering = ("-id",)

    @display(description="as a watcher sees it")
    def view(self, game: Game) -> SafeString:
        """The view of API.md."""
        head = log.load(game.pk)
        if head is None:
            return _as_json(None)
        shown = head_at(head, head.game.shown_version)
        return _as_json(game_view(shown, _WATCHING, timezone.now()))

    @display(description="events")
    def log(self, game: Game) -> SafeString:
        """The way to its events."""
        return format_html(
            '<a href="../../../gameevent/?game={}">{} events</a>', game.pk, game.version
        )


class EventPage(ReadOnly):
    """An event: redacted until its game is over, in full from then on."""

    shown = ("id", "game", "seq", "type", "schema_version", "at")
    told = ("facts",)
    list_display = ("id", "game_id", "seq", "type", "at")
    narrowed = ("game", "type")
    id_field = "game"
    ordering = ("-id",)
    search_help_text = "the id of a game"

    @display(description="facts")
    def facts(self, event: GameEvent) -> SafeString:
        """What a watcher may know of it."""
        (stored,) = log.events(event.game_id, event.seq - 1, 1)
        is_over = Game.objects.filter(pk=event.game_id, status=Game.Status.FINISHED).exists()
        return _as_json(reveal(stored.event) if is_over else redact(stored.event, _WATCHING))


class ResultPage(ReadOnly):
    """How a seat of a finished game ended."""

    shown = (
        *("id", "game", "seat", "player", "ladder", "place", "players", "shared", "is_durak"),
        *("drew", "points", "unrated", "weight", "reduced", "private", "finished_at"),
    )
    list_display = ("id", "game_id", "seat", "player_id", "ladder", "place", "unrated")
    list_filter = ("unrated",)
    narrowed = ("game", "player", "unrated")
    id_field = "game"
    ordering = ("-id",)
    search_help_text = "the id of a game"


class PlayerPage(ReadOnly):
    """An account, without its password and its tokens."""

    shown = ("id", "name", "kind", "language", "created_at", "deleted_at")
    list_display = ("id", "name", "kind", "created_at", "deleted_at")
    list_filter = ("kind",)
    narrowed = ("kind", "name_key")
    ordering = ("-id",)


def pages_register(site: AdminSite) -> None:
    """Put the pages on a site."""
    site.register(Game, GamePage)
    site.register(GameEvent, EventPage)
    site.register(GameResult, ResultPage)
    site.register(Player, PlayerPage)


def _as_json(value: Any) -> SafeString:
    text = msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    return format_html("<pre>{}</pre>", text)
