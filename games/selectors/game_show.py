"""A game as JSON for one viewer: the view, its events, its place in a list."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from msgspec.structs import replace

from games.models import Player
from games.rules.events import GameCreated, PlayerJoined, PlayerLeft
from games.rules.game import Game, evolve, fold
from games.rules.views import Viewer, acting_state, next_for, redact, view_for
from games.store import log
from games.store.log import Head, Stored

Json = dict[str, Any]
_PERSONS: Final = ("player", "creator")


def game_view(head: Head, viewer: Viewer, now: datetime, *, as_brain: bool = False) -> Json:
    """The view of API.md for a seat, its brain, or for somebody who watches (None)."""
    view = view_for(head.game, viewer, head.sitters, as_brain=as_brain)
    shown = {"id": head.id, **view, "server_time": now, "created_at": head.created_at}
    if viewer is not None and head.invite:
        shown["invite"] = head.invite
    return shown


def head_at(head: Head, version: int) -> Head:
    """The game as it was at a version of its log."""
    if version == head.game.version:
        return head
    game = log.replay(head.id, version)
    return replace(head, game=game, sitters=log.sitters(game))


def viewer_of(head: Head, player_id: UUID | None) -> Viewer:
    """The seat from which a caller looks at the game."""
    return None if player_id is None else head.game.seat_of(str(player_id))


def may_see(head: Head, player_id: UUID | None) -> bool:
    """Whether the game exists for the caller."""
    return head.game.exists_for(None if player_id is None else str(player_id))


def event_list(
    before: Game | None, stored: Sequence[Stored], viewer: Viewer, *, as_brain: bool = False
) -> list[Json]:
    """Events as the viewer may see them; `before` is the game before the first of them.

    A spectator's events do not depend on `before`.
    """
    names = _names(stored)
    shown = []
    for item in stored:
        if viewer is not None:
            before = evolve(before, item.event)
        shown.append(_event(before, item, viewer, names, as_brain=as_brain))
    return shown


def event_page(head: Head, viewer: Viewer, after: int, limit: int) -> list[Json]:
    """At most `limit` events after version `after` up to the head, as the viewer may see them.

    A seat's legal moves at each version need the game before it: its log is folded from the start.
    """
    limit = min(limit, head.game.version - after)
    if limit <= 0:
        return []
    if viewer is None or after == 0:
        return event_list(None, log.events(head.id, after, limit), viewer)
    stored = log.events(head.id, limit=after + limit)
    before = fold(None, tuple(item.event for item in stored[:after]))
    return event_list(before, stored[after:], viewer)


def added_events(head: Head, stored: Sequence[Stored], viewer: Viewer) -> list[Json]:
    """The events of the write that led to `head`, as the viewer may see them."""
    names = _names(stored)
    return [_event(head.game, item, viewer, names) for item in stored]


def _event(
    game: Game | None,
    item: Stored,
    viewer: Viewer,
    names: Mapping[str, str],
    *,
    as_brain: bool = False,
) -> Json:
    shown = {"seq": item.seq, "at": item.at, **redact(item.event, viewer), "hash": item.hash.hex()}
    data = shown["data"]
    for person in _PERSONS:
        if person in data:
            data[person] = names.get(data[person])
    if "reserved" in data:
        data["reserved"] = [names.get(owner) for owner in data["reserved"]]
    if item.event.next is not None:
        state = acting_state(game, viewer, as_brain=as_brain) if game else None
        shown["next"] = next_for(state, item.event.next, viewer)
    return shown


def _names(stored: Iterable[Stored]) -> dict[str, str]:
    """Names by account id; the log holds ids, since names change."""
    ids = {person for item in stored for person in _persons(item)}
    if not ids:
        return {}
    return {
        str(key): name for key, name in Player.objects.filter(id__in=ids).values_list("id", "name")
    }


def _persons(item: Stored) -> Iterable[str]:
    event = item.event
    if isinstance(event, PlayerJoined | PlayerLeft):
        yield event.player
    elif isinstance(event, GameCreated):
        yield event.creator
        yield from (owner for owner in event.reserved if owner is not None)
