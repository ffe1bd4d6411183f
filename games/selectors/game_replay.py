"""A finished game in full, for replays: nothing is hidden any more."""

from typing import Any, Final

import msgspec

from games.rules.cards import pack
from games.rules.record import record_of, write_record
from games.rules.rulesets.registry import Ruleset
from games.rules.shuffle import ALGORITHM
from games.rules.views import reveal
from games.store import log
from games.store.chain import timestamp
from games.store.codec import VERSIONS
from games.store.log import Head, Stored

SCHEMA_VERSION: Final = 1


def game_record(head: Head) -> str | None:
    """A finished game as a text record; None if it was never dealt."""
    game = head.game
    if game.state is None:
        return None
    played_by = Ruleset(
        game.ruleset, game.family, dict(game.options), game.rules, game.ruleset_sha256
    )
    names = tuple(sitter.name if sitter else "" for sitter in head.sitters)
    events = tuple(stored.event for stored in log.events(head.id))
    record = record_of(played_by, events, players=names, game_number=game.game_number)
    return write_record(record)


def game_replay(head: Head) -> dict[str, Any]:
    """The whole record of a game. Raises ValueError before the end."""
    game = head.game
    if game.result is None:
        raise ValueError("a running game has no replay")
    return {
        "schema_version": SCHEMA_VERSION,
        "id": head.id,
        "ruleset": game.ruleset,
        "options": game.options,
        "rules": msgspec.structs.asdict(game.rules),
        "ruleset_sha256": game.ruleset_sha256,
        "seats": [sitter.name if sitter else None for sitter in head.sitters],
        "algorithm": ALGORITHM,
        "initial_pack": pack(game.rules.deck_size),
        "server_seed": log.server_seed(head.id).hex(),
        "client_seeds": [chair.client_seed for chair in game.chairs],
        "chain_secret": head.chain_secret.hex(),
        "head": head.hash.hex(),
        "result": game.result,
        "events": [_event(stored) for stored in log.events(head.id)],
    }


def _event(stored: Stored) -> dict[str, Any]:
    told = reveal(stored.event)
    shown = {"seq": stored.seq, "at": timestamp(stored.at), **told, "hash": stored.hash.hex()}
    shown["schema_version"] = VERSIONS[told["type"]]
    if stored.written is not None:
        shown["stored"] = stored.written
    if stored.event.next is not None:
        shown["next"] = msgspec.to_builtins(stored.event.next)
    return shown
