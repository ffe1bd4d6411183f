"""Foreign records of games, judged: exports of `/replay` and texts. Nothing is stored."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from uuid import UUID

import msgspec
from msgspec.structs import replace

from games.rules.cards import pack
from games.rules.errors import InvalidRecord
from games.rules.events import Event, GameCreated, Result
from games.rules.game import Game
from games.rules.record import check_record, read_record
from games.rules.record.game import moves_told
from games.rules.rulesets.schema import FAMILIES, MAX_PLAYERS
from games.rules.shuffle import ALGORITHM
from games.selectors.game_replay import SCHEMA_VERSION
from games.store.audit import Fault, chain_fault, judged_game
from games.store.codec import UnknownEvent, canonical, decode_event
from games.store.stored import Row, Stored

MOST_EVENTS: Final = 20_000
# A judge reads several times as much JSON in a second as moves in text.
MOST_TEXT: Final = 100_000
_DIGEST: Final = 32


class ReplayFault(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is wrong first: an event (its `seq`), a tag or move (its `line`), a field.

    `code` is that of the refusal, where it is a move that the rules do not allow.
    """

    what: str
    reason: str
    seq: int | None = None
    line: int | None = None
    code: str | None = None


class ReplayRuling(msgspec.Struct, frozen=True):
    """Whether a record is a game by the rules; `fault` names the first thing that is not.

    `moves` says how many were made, those beside the cards included; 0 where there is a fault.
    """

    valid: bool
    format: str
    ruleset: str | None
    events: int
    moves: int
    result: Result | None
    fault: ReplayFault | None


class _Wrong(Exception):
    """The fault that ends the judging."""

    def __init__(
        self, what: str, reason: str, seq: int | None = None, code: str | None = None
    ) -> None:
        super().__init__(reason)
        self.fault = ReplayFault(what, reason, seq, code=code)


def text_ruling(text: str) -> ReplayRuling:
    """The ruling on a record in text notation."""
    if len(text) > MOST_TEXT:
        fault = ReplayFault("text", f"no more than {MOST_TEXT} characters are judged")
        return ReplayRuling(False, "text", None, 0, 0, None, fault)
    try:
        record = read_record(text)
    except InvalidRecord as error:
        return _text_fault(None, error)
    try:
        events = check_record(record)
    except InvalidRecord as error:
        return _text_fault(record.ruleset, error)
    moves = len(record.turns)
    return ReplayRuling(True, "text", record.ruleset, len(events), moves, record.result, None)


def _text_fault(ruleset: str | None, error: InvalidRecord) -> ReplayRuling:
    fault = ReplayFault(error.token, error.reason, line=error.line or None, code=error.code)
    return ReplayRuling(False, "text", ruleset, 0, 0, None, fault)


def export_ruling(export: Mapping[str, Any]) -> ReplayRuling:
    """The ruling on an export, whose fields have the types of ReplayView.

    Seeds and secret are compared with the commitments of the first event, every hash is made
    anew, every deal dealt and every move decided again.
    """
    events: list[dict[str, Any]] = export["events"]
    try:
        game = _judge(export, events)
    except _Wrong as wrong:
        return ReplayRuling(False, "json", export["ruleset"], len(events), 0, None, wrong.fault)
    moves = moves_told(export_events(export))
    return ReplayRuling(True, "json", game.ruleset, len(events), moves, game.result, None)


def export_events(export: Mapping[str, Any]) -> tuple[Event, ...]:
    """The events of an export. Raises UnknownEvent, and others where it is none."""
    rows = (_row(event) for event in export["events"])
    return tuple(decode_event(row.type, row.version, row.data) for row in rows)


def _judge(export: Mapping[str, Any], events: list[dict[str, Any]]) -> Game:
    if export["schema_version"] != SCHEMA_VERSION:
        raise _Wrong("schema_version", f"known is {SCHEMA_VERSION}")
    if not 1 <= len(events) <= MOST_EVENTS:
        raise _Wrong("events", f"a game has 1 to {MOST_EVENTS} events")
    stored = _stored(export, events)
    _refuse(chain_fault(stored))
    _refuse_other_words(events, stored.rows)
    _refuse_wild_rules(_decoded(stored.rows[0]))
    game = judged_game(stored)
    if isinstance(game, Fault):
        _refuse(game)
        raise AssertionError("a fault is refused")
    if game.status != "finished":
        raise _Wrong("events", "the game is not over", len(events))
    for name, rightly in _facts(game):
        # As text: to Python 5, 5.0 and True may be the same.
        if canonical(export[name]) != canonical(rightly):
            raise _Wrong(name, "the log says otherwise")
    # The log knows accounts, not names: of those it says where there are any.
    if [name is None for name in export["seats"]] != [c.owner is None for c in game.chairs]:
        raise _Wrong("seats", "others are taken by the log")
    return game


def _refuse(fault: Fault | None) -> None:
    if fault is not None:
        raise _Wrong("event", fault.reason, fault.seq, fault.code)


def _decoded(row: Row) -> Event:
    try:
        return decode_event(row.type, row.version, row.data)
    except UnknownEvent as error:
        raise _Wrong("event", str(error), row.seq) from None


def _refuse_other_words(events: Sequence[Mapping[str, Any]], rows: Sequence[Row]) -> None:
    """An event that an older release wrote must tell what is stored, which alone was hashed."""
    for event, row in zip(events, rows, strict=True):
        if "stored" in event and _decoded(_told(event, row.hash)) != _decoded(row):
            raise _Wrong("event", "what it tells is not what is stored", row.seq)


def _refuse_wild_rules(first: Event) -> None:
    """Rules and tables beyond all bounds are not played out."""
    if not isinstance(first, GameCreated):
        raise _Wrong("event", "a log begins with game_created", 1)
    if not 1 < first.seats <= MAX_PLAYERS:
        raise _Wrong("event", "no table is like that", 1)
    dials = first.rules
    for family in FAMILIES.values():
        if dials.keys() <= set(family.__struct_fields__):
            try:
                msgspec.convert({**dials, "type": family.__struct_config__.tag}, family)
            except msgspec.ValidationError as error:
                raise _Wrong("event", f"rules: {error}", 1) from None
            return
    raise _Wrong("event", "no family has these dials", 1)


def _stored(export: Mapping[str, Any], events: list[dict[str, Any]]) -> Stored:
    """The export as the rows that it was made of."""
    return Stored(
        id=UUID(str(export["id"])),
        version=len(events),
        head=_bytes(export, "head"),
        snapshot=None,
        chain_secret=_bytes(export, "chain_secret"),
        server_seed=_bytes(export, "server_seed"),
        columns="{}",
        rows=[_row(event) for event in events],
    )


def _bytes(holder: Mapping[str, Any], name: str, seq: int | None = None) -> bytes:
    try:
        found = bytes.fromhex(holder[name])
    except ValueError:
        found = b""
    if len(found) != _DIGEST:
        raise _Wrong(name, f"{_DIGEST} bytes in hex are expected", seq)
    return found


def _row(event: Mapping[str, Any]) -> Row:
    told = _told(event, _bytes(event, "hash", event["seq"]))
    if "stored" not in event:
        return told
    older = event["stored"]
    facts = canonical(older["facts"]).decode()
    return replace(told, version=older["schema_version"], data=facts)


def _told(event: Mapping[str, Any], digest: bytes) -> Row:
    """The row that an event would be if it had been stored as it is told."""
    facts = dict(event["data"])
    if event["seat"] is not None:
        facts["seat"] = event["seat"]
    if "next" in event:
        facts["next"] = event["next"]
    version, text = event["schema_version"], canonical(facts).decode()
    return Row(event["seq"], event["type"], version, event["at"], text, digest)


def _facts(game: Game) -> Iterator[tuple[str, Any]]:
    """What the other fields of an export must say."""
    created = {
        "ruleset": game.ruleset,
        "options": game.options,
        "rules": msgspec.structs.asdict(game.rules),
        "ruleset_sha256": game.ruleset_sha256,
        "algorithm": ALGORITHM,
        "initial_pack": pack(game.rules.deck_size),
        "client_seeds": [chair.client_seed for chair in game.chairs],
        "result": game.result,
    }
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(created))
    yield from plain.items()
