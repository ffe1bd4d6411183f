"""Playing a move: the path that everything else is built around."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from games.rules import engine
from games.rules.errors import MalformedMove, Refusal
from games.rules.events import Event, Seat
from games.rules.game import Game
from games.rules.moves import Move, parse_move
from games.rules.rulesets.schema import is_face_out
from games.services.errors import MoveRefused, ServiceError
from games.services.game_advance import Outcome, Record, chance, game_advance
from games.services.game_seats import seat_at_table
from games.store.log import Head


def move_play(
    *,
    game_id: UUID,
    player_id: UUID,
    body: Mapping[str, Any],
    expected_version: int | None = None,
) -> Outcome:
    """Play a player's move, judged against `expected_version` or else the current state.

    Raises ServiceError game.not_found, game.not_joined, game.not_started, move.stale_version
    (with `version`), MalformedMove, and MoveRefused for what the rules do not allow.
    """

    def decide(head: Head) -> Sequence[Event]:
        seat = seat_at_table(head, player_id)
        if head.game.chairs[seat].brain is not None and head.game.status == "running":
            raise _refused(head, seat, "move.not_your_turn")
        return _decide(head, seat, body, expected_version)

    return game_advance(game_id, decide)


def bot_move_play(
    *,
    game_id: UUID,
    seat: Seat,
    body: Mapping[str, Any],
    expected_version: int,
    record: Record | None = None,
) -> Outcome:
    """Play a brain's move in a seat that a brain plays, made for `expected_version`.

    `record` is called with the outcome within the move's transaction.
    Raises as `move_play`; game.not_joined if no brain plays the seat (any more).
    """

    def decide(head: Head) -> Sequence[Event]:
        if head.game.chairs[seat].brain is None:
            raise ServiceError("game.not_joined")
        return _decide(head, seat, body, expected_version)

    return game_advance(game_id, decide, record)


def _decide(
    head: Head, seat: Seat, body: Mapping[str, Any], expected_version: int | None
) -> Sequence[Event]:
    game = head.game
    move = parse_move(game.family, body)
    _check_names(game, move)
    if expected_version is not None and expected_version != game.version:
        raise ServiceError("move.stale_version", version=game.version)
    if game.state is None:
        raise ServiceError("game.not_started")
    try:
        return engine.decide(game.state, seat, move, chance(head))
    except Refusal as refusal:
        raise _refused(head, seat, refusal.code, move.type) from None


def _check_names(game: Game, move: Move) -> None:
    """Hands held face out are played by slot: a face would show that its owner has seen it."""
    if is_face_out(game.rules) and move.cards and move.type != "call":
        raise MalformedMove({"cards": "name your cards by slot"})


def _refused(head: Head, seat: Seat, code: str, move: str | None = None) -> MoveRefused:
    game = head.game
    return MoveRefused(
        code,
        version=game.version,
        family=game.family,
        rules=game.rules,
        move=move,
        caught=seat in getattr(game.state, "barred", ()),
    )
