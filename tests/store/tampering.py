"""What somebody who owns the database can do to a log, and how it is looked through."""

import io
from typing import Any
from uuid import UUID

import msgspec
from django.core.management import CommandError, call_command
from django.db import connection

from games.models import Game, GameEvent, GameSeat
from games.rules.game import Game as Folded
from games.store import log
from tests.store.test_chain import chain, rows_of


def verify(*arguments: str) -> str:
    """What the command prints, of faults or of none."""
    output = io.StringIO()
    try:
        call_command("verify_log", *arguments, stdout=output, stderr=io.StringIO())
    except CommandError as error:
        output.write(str(error))
    return output.getvalue()


def execute(statement: str, *parameters: Any) -> None:
    """Change what must not be changed; it must change something."""
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        assert cursor.rowcount > 0, statement


def rechain(game_id: UUID) -> None:
    """Make every hash anew, with the game's own secret, and let the row agree with the log."""
    rehash(game_id)
    agree(game_id)


def rehash(game_id: UUID) -> None:
    """Make every hash anew, with the game's own secret; there is no snapshot."""
    game = Game.objects.get(id=game_id)
    hashes = chain(str(game_id), bytes(game.chain_secret), rows_of(game))
    for seq, digest in enumerate(hashes, 1):
        GameEvent.objects.filter(game=game_id, seq=seq).update(hash=digest)
    Game.objects.filter(id=game_id).update(head_hash=hashes[-1], snapshot=None)


def cut(game_id: UUID, version: int) -> None:
    """Make the log end earlier, so that it agrees with itself."""
    GameEvent.objects.filter(game=game_id, seq__gt=version).delete()
    agree(game_id)


def agree(game_id: UUID) -> None:
    """Make the row of the game, its snapshot and its seats what the log says."""
    folded = log.replay(game_id)
    first, last = (GameEvent.objects.filter(game=game_id).order_by(by)[0] for by in ("seq", "-seq"))
    Game.objects.filter(id=game_id).update(
        version=last.seq,
        head_hash=last.hash,
        snapshot=log.SNAPSHOT_FORMAT + msgspec.json.encode(folded),
        status=folded.status,
        created_at=first.at,
        finished_at=last.at if folded.status == "finished" else None,
        free_seats=sum(chair.player is None for chair in folded.chairs),
        waiting_since=last.at if folded.status == "open" else None,
        shown_version=folded.shown_version if folded.spectator_delay else None,
    )
    seat_down(game_id, folded)


def seat_down(game_id: UUID, folded: Folded) -> None:
    """The rows of the seats as the log has them."""
    GameSeat.objects.filter(game=game_id).delete()
    GameSeat.objects.bulk_create(
        GameSeat(
            game_id=game_id,
            seat=seat,
            player_id=UUID(chair.player),
            is_over=folded.status == "finished",
        )
        for seat, chair in enumerate(folded.chairs)
        if chair.player
    )


def lose(game_id: UUID) -> None:
    """Make the game never have been."""
    tables = ("games_gameevent", "games_gameseat", "due_turn", "games_gamefinish")
    tables += ("games_gameresult", "games_ratingchange", "games_idempotencykey", "quick_match")
    with connection.cursor() as cursor:
        for table in tables:
            cursor.execute(f"DELETE FROM {table} WHERE game_id = %s", [game_id])
        cursor.execute("DELETE FROM games_game WHERE id = %s", [game_id])
