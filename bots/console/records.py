"""Where a finished game to be shown comes from: the database, an export, a text record."""

from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec

from bots.table import opening
from games.rules.errors import InvalidRecord
from games.rules.events import Event
from games.rules.record import check_record, read_record
from games.rules.rulesets.registry import ruleset
from games.rules.views import Sitter
from games.selectors.replay_check import export_events
from games.store import log
from games.store.codec import UnknownEvent


class NoRecordError(Exception):
    """There is no finished game there; the message says why."""


class Told(msgspec.Struct, frozen=True):
    """The events of a finished game and who sat where; `game_id` if it is in the database."""

    events: tuple[Event, ...]
    sitters: tuple[Sitter | None, ...]
    game_id: UUID | None = None


def told_by(source: str) -> Told:
    """The game of an id, of a file with an export or with a text. Raises NoRecordError."""
    try:
        return _stored(UUID(source))
    except ValueError:
        return _filed(Path(source))


def _stored(game_id: UUID) -> Told:
    head = log.load(game_id)
    if head is None:
        raise NoRecordError(f"there is no game {game_id}")
    if head.game.status != "finished":
        raise NoRecordError("the game is not over: its cards are still secret")
    return Told(tuple(stored.event for stored in log.events(game_id)), head.sitters, game_id)


def _filed(path: Path) -> Told:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise NoRecordError(f"{path}: {error}") from None
    try:
        return _exported(msgspec.json.decode(text)) if text.lstrip()[:1] == "{" else _written(text)
    except InvalidRecord as error:
        raise NoRecordError(f"{path}: {error}") from None
    except (UnknownEvent, LookupError, TypeError, ValueError) as error:
        raise NoRecordError(f"{path}: this is not the export of a game: {error}") from None


def _exported(export: dict[str, Any]) -> Told:
    sitters = tuple(Sitter(name or "", "human") for name in export["seats"])
    return Told(export_events(export), sitters)


def _written(text: str) -> Told:
    record = read_record(text)
    played = check_record(record)
    rules = ruleset(record.ruleset, record.options, len(record.players))
    sitters = tuple(Sitter(name, "human") for name in record.players)
    return Told((*opening(rules, record.players), *played), sitters)
