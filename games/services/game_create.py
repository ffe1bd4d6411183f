"""Opening a table."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

import msgspec
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from uuid_utils.compat import uuid7

from games.rules.events import GameCreated, PlayerJoined
from games.rules.match import TARGET
from games.rules.rulesets.registry import Ruleset, ruleset
from games.rules.rulesets.schema import SheddingRules
from games.rules.shuffle import commitment
from games.services.errors import field_error
from games.services.game_advance import Outcome
from games.services.game_caps import games_cap
from games.services.game_open import Secrets, fresh_secrets, game_open, read_seed
from games.services.house import brain_check, house_player
from games.store.chain import chain_commitment

LONGEST_SERIES: Final = 99
HIGHEST_TARGET: Final = 10_000


class Table(msgspec.Struct, frozen=True):
    """What the creator asks for. `bots` are the brains of the last seats, in seat order.

    `series_length` (odd) or `match_target` end the match whose first game this is.
    `turn_seconds` (None: no clock), `bank_seconds`, `on_timeout` and `spectator_delay` are those of
    `GameCreated`.
    """

    ruleset: str
    seats: int
    options: dict[str, object] = {}
    bots: tuple[str, ...] = ()
    rated: bool = False
    visibility: str = "public"
    client_seed: str = ""
    auto_start: bool = True
    series_length: int | None = None
    match_target: int | None = None
    turn_seconds: int | None = None
    bank_seconds: int = 0
    on_timeout: str = "safe_move"
    spectator_delay: int = 0


def game_create(*, creator: UUID, kind: str, table: Table) -> Outcome:
    """Open a table; the creator takes seat 0 unless bots take every seat.

    Raises UnknownRuleset, InvalidOptions, ServiceError request.invalid, game.too_many.
    """
    rules = _ruleset(table)
    if len(table.bots) > table.seats:
        raise field_error("bots", f"there are {table.seats} seats")
    for index, brain in enumerate(table.bots):
        brain_check(brain, f"bots[{index}].brain")
    _check_match(table, rules)
    clock_check(table.turn_seconds, table.bank_seconds)
    _check_delay(table)
    seed = read_seed(table.client_seed)
    with transaction.atomic(savepoint=False):
        seated = _seated(creator, kind, table, seed)
        outcome = table_open(creator=creator, table=table, rules=rules, seated=seated)
        games_cap(player_id=creator)
        return outcome


def table_open(
    *, creator: UUID, table: Table, rules: Ruleset, seated: Sequence[PlayerJoined]
) -> Outcome:
    """Store a game that is as `table` says, with these seats, in the caller's transaction."""
    game_id, hidden = uuid7(), fresh_secrets()
    return game_open(
        game_id=game_id,
        hidden=hidden,
        created=_created(game_id, creator, table, rules, hidden),
        seated=seated,
        at=timezone.now(),
    )


def clock_check(turn_seconds: int | None, bank_seconds: int = 0) -> None:
    """Raises ServiceError request.invalid for a clock that this server does not have."""
    least, most = settings.TURN_SECONDS_MIN, settings.TURN_SECONDS_MAX
    if turn_seconds is not None and not least <= turn_seconds <= most:
        raise field_error("turn_seconds", f"from {least} to {most}, or null for no clock")
    if not 0 <= bank_seconds <= settings.BANK_SECONDS_MAX:
        raise field_error("bank_seconds", f"from 0 to {settings.BANK_SECONDS_MAX}")
    if bank_seconds and turn_seconds is None:
        raise field_error("bank_seconds", "goes with turn_seconds")


def _ruleset(table: Table) -> Ruleset:
    """The ruleset, in which options that speak of a target may mean that of the table itself."""
    options = table.options
    unset = table.match_target is not None and options.get(TARGET) is None
    if unset and options.keys() & {TARGET, "exact_target_resets"}:
        options = options | {TARGET: table.match_target}
    return ruleset(table.ruleset, options, table.seats)


def _check_match(table: Table, rules: Ruleset) -> None:
    """Whether these terms can end a match (rulebook 3.3)."""
    length, target = table.series_length, table.match_target
    if length is not None and not (0 < length <= LONGEST_SERIES and length % 2):
        raise field_error("series_length", f"must be odd, from 1 to {LONGEST_SERIES}")
    wanted = table.options.get(TARGET)
    if length is not None and wanted is not None:
        raise field_error("options.match_target", "does not go with series_length")
    if target is None:
        return
    if wanted not in (None, target):
        raise field_error("match_target", "options.match_target says something else")
    if not 0 < target <= HIGHEST_TARGET:
        raise field_error("match_target", f"from 1 to {HIGHEST_TARGET}")
    dials = rules.rules
    if not isinstance(dials, SheddingRules) or dials.points is None:
        raise field_error("match_target", "no points are counted in this ruleset")
    if length is not None:
        raise field_error("match_target", "does not go with series_length")


def _check_delay(table: Table) -> None:
    if not 0 <= table.spectator_delay <= settings.SPECTATOR_DELAY_MAX:
        raise field_error("spectator_delay", f"from 0 to {settings.SPECTATOR_DELAY_MAX}")


def _created(
    game_id: UUID, creator: UUID, table: Table, rules: Ruleset, hidden: Secrets
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
        series_length=table.series_length,
        match_target=_target(table, rules),
        turn_seconds=table.turn_seconds,
        bank_seconds=table.bank_seconds,
        on_timeout=table.on_timeout,
        spectator_delay=table.spectator_delay,
    )


def _target(table: Table, rules: Ruleset) -> int | None:
    """The points that lose the match: the table's, or the preset's where no series is played."""
    if table.series_length is not None:
        return None
    if table.match_target is not None:
        return table.match_target
    dials = rules.rules
    return dials.match_target if isinstance(dials, SheddingRules) else None


def _seated(creator: UUID, kind: str, table: Table, seed: str) -> list[PlayerJoined]:
    if len(table.bots) == table.seats:
        return bots_seated(table)
    own = PlayerJoined(seat=0, player=str(creator), kind=kind, client_seed=seed)
    return [own, *bots_seated(table)]


def bots_seated(table: Table) -> list[PlayerJoined]:
    """The table's bots on its last seats."""
    first = table.seats - len(table.bots)
    return [
        PlayerJoined(seat=first + index, player=str(house_player(brain)), kind="bot", brain=brain)
        for index, brain in enumerate(table.bots)
    ]
