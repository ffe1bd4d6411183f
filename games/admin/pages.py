"""The pages. What they tell of a running game is what somebody sees who only watches it."""

from typing import Any, Final

import msgspec
from django.contrib.admin import AdminSite, display
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.admin.reading import ReadOnly
from games.admin.voiding import Voiding
from games.models import Game, GameEvent, GameResult, Player
from games.rules.views import redact, reveal
from games.selectors.events_shown import events_shown
from games.selectors.game_show import game_view, head_at
from games.store import log

_WATCHING: Final = None


class GamePage(Voiding):
    """A game's head and its view; seeds, secrets, the snapshot and the invite stay where they are.

    The log is the truth: the view is folded or thawed from it like that of any other watcher.
    """

    shown = (
        *("id", "ruleset", "options", "status", "visibility", "rated", "seats", "creator"),
        *("match_id", "game_number", "created_at", "finished_at"),
    )
    told = ("seen", "view", "log")
    read = ("version", "shown_version")
    list_display = ("id", "ruleset", "status", "visibility", "rated", "seen", "created_at")
    list_filter = ("status", "visibility", "rated")
    narrowed = ("status", "visibility", "rated", "match_id")
    ordering = ("-id",)

    @display(description="version")
    def seen(self, game: Game) -> int:
        """How far a watcher has come, who may be some moves behind."""
        return game.shown_version or game.version

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
            '<a href="../../../gameevent/?game={}">{} events</a>', game.pk, self.seen(game)
        )


class EventPage(ReadOnly):
    """An event: redacted until its game is over, in full from then on.

    Where who only watches is some moves behind, the staff is too.
    """

    shown = ("id", "game", "seq", "type", "schema_version", "at")
    told = ("facts",)
    list_display = ("id", "game_id", "seq", "type", "at")
    narrowed = ("game", "type")
    unindexed, within = ("type",), ("game",)
    id_field = "game"
    ordering = ("-id",)
    search_help_text = "the id of a game"

    def get_queryset(self, request: HttpRequest) -> QuerySet[GameEvent]:
        """The events that a watcher has seen."""
        return events_shown(super().get_queryset(request))

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
    unindexed, within = ("unrated",), ("game", "player")
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
