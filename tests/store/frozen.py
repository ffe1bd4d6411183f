"""Logs as they were written once. Every release must read them, and read them alike.

`v1/events.json` has one sample of each event type: its version and its facts. Every other file is
the log of a whole game: `events` are rows `[type, version, facts]`, `folded` says what the game
was after each of them. A new version of an event adds a folder; nothing here is ever rewritten.
"""

from pathlib import Path
from typing import Any, Final
from uuid import UUID

import msgspec

from games.models import GameEvent
from games.rules import game as games
from games.rules.cards import to_cards
from games.store.codec import decode_event

FOLDERS: Final = sorted(Path(__file__).parent.glob("v*/"))
SAMPLES: Final = "events.json"


class FrozenLog(msgspec.Struct, frozen=True):
    """The rows of a log, and the game after each of them."""

    events: list[tuple[str, int, dict[str, Any]]]
    folded: list[Any]


def logs() -> list[Path]:
    """Every frozen game."""
    return [
        file for folder in FOLDERS for file in sorted(folder.glob("*.json")) if file.name != SAMPLES
    ]


def read(file: Path) -> FrozenLog:
    """A frozen game."""
    return msgspec.json.decode(file.read_bytes(), type=FrozenLog)


def samples() -> list[tuple[str, int, dict[str, Any]]]:
    """Every frozen event: type, version, facts; those of whole games too."""
    found = [row for file in logs() for row in read(file).events]
    for folder in FOLDERS:
        rows = msgspec.json.decode((folder / SAMPLES).read_bytes())
        found += [(row["type"], row["version"], row["facts"]) for row in rows]
    return found


def record(game_id: UUID) -> FrozenLog:
    """The log of a game, to be frozen: write `lines` of it to a file."""
    rows = GameEvent.objects.filter(game=game_id).order_by("seq")
    events = list(rows.values_list("type", "schema_version", "data"))
    return FrozenLog(events, fold(events))


def lines(frozen: FrozenLog) -> str:
    """The JSON of a log, an event a line."""
    parts = []
    for name in ("events", "folded"):
        rows = ",\n".join(msgspec.json.encode(row).decode() for row in getattr(frozen, name))
        parts.append(f'"{name}": [\n{rows}\n]')
    return "{" + ",\n".join(parts) + "}\n"


def fold(events: list[tuple[str, int, dict[str, Any]]]) -> list[Any]:
    """What the game is after each of these rows, as plain JSON."""
    game, seen = None, []
    for kind, version, facts in events:
        game = games.evolve(game, decode_event(kind, version, msgspec.json.encode(facts).decode()))
        seen.append(msgspec.json.decode(msgspec.json.encode(_summary(game))))
    return seen


def _summary(game: games.Game) -> list[Any]:
    chairs = [chair.brain or chair.player for chair in game.chairs]
    state = game.state
    if state is None:
        return [game.version, game.status, chairs]
    cards = [" ".join(to_cards(hand)) for hand in state.hands]
    table = " ".join(f"{pair.attack}/{pair.beat or ''}" for pair in state.table)
    turn = [state.phase, state.to_act, state.attacker, state.defender, state.passed, state.out]
    heap = [state.dealer, state.trump, state.turn_up, len(state.talon), state.discard_count]
    brains = [chair.brain for chair in game.chairs]
    resigned = [seat for seat, chair in enumerate(game.chairs) if chair.resigned]
    played = [turn, cards, table, heap, state.moves, brains, resigned]
    return [game.version, game.status, *played, *([game.result] if game.result else [])]
