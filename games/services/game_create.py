"""Opening a table."""

import secrets
from typing import Final
from uuid import UUID

import msgspec
from django.db import transaction
from django.utils import timezone
from uuid_utils.compat import uuid7

from games.models import Game, GameSeat
from games.rules import game as games
from games.rules.events import Event, GameCreated, PlayerJoined
from games.rules.rulesets.registry import Ruleset, ruleset
from games.rules.shuffle import CLIENT_SEED_BYTES, SERVER_SEED_BYTES, commitment
from games.services.errors import field_error
from games.services.game_advance import Outcome, settle, start_events
from games.services.house import brain_check, house_player
from games.store import log
from games.store.chain import GENESIS, chain_commitment

INVITE_BYTES: Final = 12


class Table(msgspec.Struct, frozen=True):
    """What the creator asks for. `bots` are the brains of the last seats, in seat order."""

    ruleset: str
    seats: int
    options: dict[str, object] = {}
    bots: tuple[str, ...] = ()
    rated: bool = False
    visibility: str = "public"
    client_seed: str = ""
    auto_start: bool = True


class _Secrets(msgspec.Struct, frozen=True):
    """What only the server knows of a game: the seeds of deal, log and bots."""

    server: bytes
    chain: bytes
    bots: bytes


def game_create(*, creator: UUID, kind: str, table: Table) -> Outcome:
    """Open a table; the creator takes seat 0 unless bots take every seat.

    Raises UnknownRuleset, InvalidOptions, ServiceError request.invalid.
    """
    rules = ruleset(table.ruleset, table.options, table.seats)
    if len(table.bots) > table.seats:
        raise field_error("bots", f"there are {table.seats} seats")
    for index, brain in enumerate(table.bots):
        brain_check(brain, f"bots[{index}].brain")
    seed = read_seed(table.client_seed)
    with transaction.atomic(savepoint=False):
        return _open(creator, kind, table, rules, seed)


def read_seed(text: str) -> str:
    """A client seed as it stands in the log: the hex of its UTF-8 bytes.

    Raises ServiceError request.invalid for more than 64 bytes.
    """
    try:
        seed = text.encode()
    except UnicodeEncodeError:
        raise field_error("client_seed", "must be valid Unicode") from None
    if len(seed) > CLIENT_SEED_BYTES:
        raise field_error("client_seed", f"at most {CLIENT_SEED_BYTES} bytes")
    return seed.hex()


def _open(creator: UUID, kind: str, table: Table, rules: Ruleset, seed: str) -> Outcome:
    game_id, at = uuid7(), timezone.now()
    hidden = _Secrets(*(secrets.token_bytes(SERVER_SEED_BYTES) for _ in range(3)))
    created = _created(game_id, creator, table, rules, hidden)
    seated = _seated(creator, kind, table, seed)
    events: list[Event] = [created, *seated]
    game = games.fold(None, tuple(events))
    if len(seated) == table.seats and table.auto_start:
        events += start_events(game_id, game, hidden.server)
    row = _row(game_id, creator, table, created, hidden, rules)
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


def _created(
    game_id: UUID, creator: UUID, table: Table, rules: Ruleset, hidden: _Secrets
) -> GameCreated:
    return GameCreated(
        ruleset=rules.id,
        options=rules.options,
        rules=msgspec.structs.asdict(rules.rules),
        ruleset_sha256=rules.sha256,
        seats=table.seats,
        creator=str(creator),
        rated=table.rated,
        visibility=table.visibility,
        auto_start=table.auto_start,
        match=str(uuid7()),
        game_number=1,
        commitment=commitment(hidden.server, str(game_id)),
        chain_commitment=chain_commitment(hidden.chain, str(game_id)),
    )


def _seated(creator: UUID, kind: str, table: Table, seed: str) -> list[PlayerJoined]:
    first_bot = table.seats - len(table.bots)
    seated = [
        PlayerJoined(
            seat=first_bot + index, player=str(house_player(brain)), kind="bot", brain=brain
        )
        for index, brain in enumerate(table.bots)
    ]
    if first_bot > 0:
        own = PlayerJoined(seat=0, player=str(creator), kind=kind, client_seed=seed)
        seated.insert(0, own)
    return seated


def _row(
    game_id: UUID,
    creator: UUID,
    table: Table,
    created: GameCreated,
    hidden: _Secrets,
    rules: Ruleset,
) -> Game:
    private = table.visibility == Game.Visibility.PRIVATE
    return Game(
        id=game_id,
        creator_id=creator,
        ruleset=rules.id,
        options=rules.options,
        visibility=table.visibility,
        rated=table.rated,
        invite=secrets.token_urlsafe(INVITE_BYTES) if private else "",
        match_id=UUID(created.match),
        seats=table.seats,
        head_hash=GENESIS,
        server_seed=hidden.server,
        chain_secret=hidden.chain,
        bot_secret=hidden.bots,
    )
