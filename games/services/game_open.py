"""The first events of a game: its row, its seats and its log, in one go."""

import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec

from games.models import Game, GameSeat
from games.rules import game as games
from games.rules.events import Event, GameCreated, PlayerJoined
from games.rules.shuffle import CLIENT_SEED_BYTES, SERVER_SEED_BYTES
from games.services.errors import field_error
from games.services.game_advance import Outcome, settle, start_events
from games.store import log
from games.store.chain import GENESIS

INVITE_BYTES: Final = 12


class Secrets(msgspec.Struct, frozen=True):
    """What only the server knows of a game: the seeds of deal, log and bots."""

    server: bytes
    chain: bytes
    bots: bytes


def fresh_secrets() -> Secrets:
    """Secrets from the operating system's own chance."""
    return Secrets(*(secrets.token_bytes(SERVER_SEED_BYTES) for _ in range(3)))


def game_open(
    *,
    game_id: UUID,
    hidden: Secrets,
    created: GameCreated,
    seated: Sequence[PlayerJoined],
    at: datetime,
) -> Outcome:
    """Store a game that was just made up, in the caller's transaction; a full table is dealt."""
    events: list[Event] = [created, *seated]
    game = games.fold(None, tuple(events))
    if len(seated) == created.seats and created.auto_start:
        events += start_events(game_id, game, hidden.server)
    row = _row(game_id, created, hidden)
    row.created_at = at
    row.save(force_insert=True)
    GameSeat.objects.bulk_create(
        GameSeat(game=row, seat=joined.seat, player_id=UUID(joined.player)) for joined in seated
    )
    _, added = log.begin(game_id, hidden.chain, row.invite, events, at)
    head = log.load(game_id)
    if head is None:
        raise LookupError("the game that was just written")
    settle(None, head, at)
    return Outcome(head, added, at)


def read_seed(text: str, field: str = "client_seed") -> str:
    """A client seed as it stands in the log: the hex of its UTF-8 bytes.

    Raises ServiceError request.invalid for more than 64 bytes.
    """
    try:
        seed = text.encode()
    except UnicodeEncodeError:
        raise field_error(field, "must be valid Unicode") from None
    if len(seed) > CLIENT_SEED_BYTES:
        raise field_error(field, f"at most {CLIENT_SEED_BYTES} bytes")
    return seed.hex()


def _row(game_id: UUID, created: GameCreated, hidden: Secrets) -> Game:
    private = created.visibility == Game.Visibility.PRIVATE
    return Game(
        id=game_id,
        creator_id=UUID(created.creator),
        ruleset=created.ruleset,
        options=created.options,
        visibility=created.visibility,
        rated=created.rated,
        invite=secrets.token_urlsafe(INVITE_BYTES) if private else "",
        match_id=UUID(created.match),
        game_number=created.game_number,
        seats=created.seats,
        reserved=[UUID(owner) for owner in created.reserved if owner is not None],
        reserved_until=created.reserved_until,
        head_hash=GENESIS,
        server_seed=hidden.server,
        chain_secret=hidden.chain,
        bot_secret=hidden.bots,
    )
