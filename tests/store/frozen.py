"""Logs as they were written once. Every release must read them, and read them alike.

`v1/events.json` has one sample of each event type: its version and its facts. The other files of
that kind are the logs of whole games: `events` are rows `[type, version, facts]`, `folded` says
what the game was after each of them. `rulesets.ndjson` has a log of every ruleset, a game a line,
with the hash of what it was after each event; rulesets that are new come in further files. A new
version of an event adds a folder; what is here is never rewritten: `SHA256SUMS` tells.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import msgspec

from games.models import GameEvent
from games.rules import game as games
from games.rules.cards import to_cards
from games.rules.shedding.state import SheddingState
from games.store.codec import decode_event

FOLDERS: Final = sorted(Path(__file__).parent.glob("v*/"))
SAMPLES: Final = "events.json"
RULESETS: Final = "rulesets*.ndjson"
SUMS: Final = Path(__file__).with_name("SHA256SUMS")


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


class FrozenRuleset(msgspec.Struct, frozen=True):
    """The log of a game by a ruleset; `folded` is the hash of the game after each event."""

    ruleset: str
    events: list[tuple[str, int, dict[str, Any]]]
    folded: str


def rulesets() -> list[FrozenRuleset]:
    """Every frozen game of `rulesets.ndjson`."""
    files = [file for folder in FOLDERS for file in sorted(folder.glob(RULESETS))]
    lines = [line for file in files for line in file.read_bytes().splitlines()]
    return [msgspec.json.decode(line, type=FrozenRuleset) for line in lines]


def folded_hash(events: list[tuple[str, int, dict[str, Any]]]) -> str:
    """The hash of what a game is after each of these rows."""
    return hashlib.sha256(msgspec.json.encode(fold(events))).hexdigest()


def freeze(game_id: UUID) -> FrozenRuleset:
    """The log of a game, as a line of `rulesets.ndjson`."""
    events = record(game_id).events
    return FrozenRuleset(events[0][2]["ruleset"], events, folded_hash(events))


def sums() -> dict[str, str]:
    """The hash of every frozen file, by its name."""
    files = sorted(file for folder in FOLDERS for file in folder.iterdir() if file.is_file())
    return {f"{f.parent.name}/{f.name}": hashlib.sha256(f.read_bytes()).hexdigest() for f in files}


def listed_sums() -> dict[str, str]:
    """What `SHA256SUMS` says they are."""
    rows = (line.split("  ") for line in SUMS.read_text().splitlines())
    return {name: digest for digest, name in rows}


def rewritten(listed: dict[str, str], found: dict[str, str]) -> list[str]:
    """The files that are not what the list says, or are gone; new ones are none of them."""
    return [name for name, digest in listed.items() if found.get(name) != digest]


def add_rulesets(games: Sequence[FrozenRuleset]) -> None:
    """Freeze games in a file of their own, in the newest folder."""
    folder = FOLDERS[-1]
    name = f"rulesets-{len(list(folder.glob(RULESETS))) + 1}.ndjson"
    (folder / name).write_bytes(b"".join(msgspec.json.encode(game) + b"\n" for game in games))


def add_sums() -> None:
    """List the files that are not listed yet. Raises ValueError if one that is was rewritten."""
    listed, found = listed_sums(), sums()
    if changed := rewritten(listed, found):
        raise ValueError(f"frozen, and not what it was: {', '.join(changed)}")
    SUMS.write_text("".join(f"{digest}  {name}\n" for name, digest in found.items()))


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
    if isinstance(state, SheddingState):
        return [game.version, game.status, chairs, *_shed(state), game.result]
    cards = [" ".join(to_cards(hand)) for hand in state.hands]
    table = " ".join(f"{pair.attack}/{pair.beat or ''}" for pair in state.table)
    turn = [state.phase, state.to_act, state.attacker, state.defender, state.passed, state.out]
    heap = [state.dealer, state.trump, state.turn_up, len(state.talon), state.discard_count]
    brains = [chair.brain for chair in game.chairs]
    resigned = [seat for seat, chair in enumerate(game.chairs) if chair.resigned]
    played = [turn, cards, table, heap, state.moves, brains, resigned]
    return [game.version, game.status, *played, *([game.result] if game.result else [])]


def _shed(state: SheddingState) -> list[Any]:
    cards = [" ".join(to_cards(hand)) for hand in state.hands]
    turn = [state.phase, state.to_act, state.passed, state.out, state.pending, state.drawn]
    return [turn, cards, " ".join(state.pile), " ".join(state.talon), state.named_suit, state.moves]
