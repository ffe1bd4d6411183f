"""Games that count, read from their rows; standings and changes, written to theirs.

The statements are written by hand: a game costs four of them while its ladders are locked, and a
rebuild copies millions of rows.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from django.db import connection

from games.models.results import OVERALL
from games.projections.fairness import Weight
from games.projections.rating import displayed, is_provisional, uncertainty
from games.projections.seasons import season_of
from games.projections.standings import Change, Held, Outcome, Placing, RatedGame, Standing
from games.store.cursors import executed

Row = tuple[Any, ...]
RATING: Final = (
    *("player_id", "ladder", "season", "kind", "mu", "sigma", "rating", "uncertainty"),
    *("provisional", "games", "durak_count", "first_places", "draws", "points"),
    *("safe_run", "safe_best", "first_run", "first_best"),
    *("updated_seq", "updated_at"),
)
CHANGE: Final = (
    *("game_id", "player_id", "ladder", "season", "seq", "place", "mu_before", "sigma_before"),
    *("mu_after", "sigma_after", "rating_before", "rating_after", "finished_at"),
)
# A game with all of its seats. What a lock waited for is looked at again, and passed over if it
# was done meanwhile.
GAMES: Final = """
    SELECT f.game_id, f.ladder, f.finished_at, f.events, f.surrendered, f.voided, f.ladder_seq,
        f.overall_seq, (SELECT json_agg(json_build_array(r.player_id, p.kind, r.place, r.is_durak,
            r.drew, COALESCE(r.points, 0), json_build_array(r.weight, r.reduced)) ORDER BY r.seat)
            FROM games_gameresult r JOIN games_player p ON p.id = r.player_id
            WHERE r.game_id = f.game_id)::text
    FROM games_gamefinish f
"""
# Where players stand on ladders, each in his newest season there; null if nobody does. Its
# parameters are the ladders and the players.
STOOD: Final = """
    (SELECT json_agg(json_build_array(r.ladder, r.player_id, r.season, json_build_array(
            json_build_array(r.mu, r.sigma), r.games, r.durak_count, r.first_places, r.draws,
            r.points, r.safe_run, r.safe_best, r.first_run, r.first_best)))
        FROM unnest((SELECT %s::varchar[])) AS l (ladder), unnest((SELECT %s::uuid[])) AS p (id),
            LATERAL (SELECT * FROM games_rating s WHERE s.player_id = p.id AND s.ladder = l.ladder
                ORDER BY s.season DESC LIMIT 1) r)::text
"""
_decode_stood: Final = msgspec.json.Decoder(list[tuple[str, UUID, str, Standing]]).decode
_decode_outcomes: Final = msgspec.json.Decoder(tuple[Outcome, ...]).decode
_encode: Final = msgspec.json.Encoder().encode


class FinishedRow(msgspec.Struct, frozen=True):
    """A game that counts, and its ruleset's ladder."""

    ladder: str
    game: RatedGame


def read_game(row: Sequence[Any]) -> FinishedRow:
    """A row of `GAMES`."""
    game_id, ladder, finished_at, events, surrendered, voided, seq, overall, outcomes = row
    game = RatedGame(
        game_id=game_id,
        season=season_of(finished_at),
        finished_at=finished_at,
        outcomes=_decode_outcomes(outcomes or "[]"),
        events=events,
        surrendered=surrendered,
        voided=voided,
        numbers=() if seq is None else ((ladder, seq), (OVERALL, overall)),
    )
    return FinishedRow(ladder, game)


def read_standings(text: str | None) -> dict[str, dict[UUID, Held]]:
    """What `STOOD` says, by ladder and player."""
    held: dict[str, dict[UUID, Held]] = {}
    for ladder, player, season, standing in _decode_stood(text or "[]"):
        held.setdefault(ladder, {})[player] = Held(season, standing)
    return held


def rating_row(game: RatedGame, placing: Placing, change: Change) -> Row:
    """The values of `RATING` after a game."""
    after = change.after
    skill = after.skill
    return (
        *(change.player, placing.ladder, placing.season, change.kind, skill.mu, skill.sigma),
        *(displayed(skill), uncertainty(skill), is_provisional(skill, after.games), after.games),
        *(after.durak_count, after.first_places, after.draws, after.points),
        *(after.safe_run, after.safe_best, after.first_run, after.first_best),
        *(placing.seq, game.finished_at),
    )


def change_row(game: RatedGame, placing: Placing, change: Change) -> Row:
    """The values of `CHANGE`."""
    before, after = change.before.skill, change.after.skill
    return (
        *(game.game_id, change.player, placing.ladder, placing.season, placing.seq, change.place),
        *(before.mu, before.sigma, after.mu, after.sigma),
        *(displayed(before), displayed(after), game.finished_at),
    )


def store_game(
    game: RatedGame,
    ratings: Sequence[Row],
    changes: Sequence[Row],
    shares: Mapping[UUID, Weight],
    at: datetime,
) -> None:
    """Write all that a game changes, in one statement; `at` is when it was rated."""
    reduced = [
        {"player_id": player, "weight": share.share, "reduced": share.reason}
        for player, share in shares.items()
        if share.reason
    ]
    (_, ladder_seq), (_, overall_seq) = game.numbers
    records = _records(RATING, ratings), _records(CHANGE, changes), _encode(reduced).decode()
    executed(_STORE, [*records, game.game_id, ladder_seq, overall_seq, at, game.game_id])


def copy_rows(table: str, columns: Sequence[str], rows: Iterable[Row]) -> None:
    """Insert many rows as fast as the database takes them."""
    statement = f"COPY {table} ({', '.join(columns)}) FROM STDIN"
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row(row)


def _records(columns: Sequence[str], rows: Sequence[Row]) -> str:
    return _encode([dict(zip(columns, row, strict=True)) for row in rows]).decode()


_KEY: Final = ("player_id", "ladder", "season")
_WRITE: Final = """
    WITH standings AS (
        INSERT INTO games_rating ({rating})
        SELECT {rating} FROM json_populate_recordset(NULL::games_rating, %s::json)
        ON CONFLICT (player_id, ladder, season) DO UPDATE SET {totals}
    ), history AS (
        INSERT INTO games_ratingchange ({change})
        SELECT {change} FROM json_populate_recordset(NULL::games_ratingchange, %s::json)
    ), results AS (
        UPDATE games_gameresult r SET weight = s.weight, reduced = s.reduced
        FROM json_to_recordset(%s::json)
            AS s (player_id uuid, weight float8, reduced text)
        WHERE r.game_id = %s AND r.player_id = s.player_id
    )
    UPDATE games_gamefinish
    SET ladder_seq = %s, overall_seq = %s, rated_at = %s
    WHERE game_id = %s
"""
_STORE: Final = _WRITE.format(
    rating=", ".join(RATING),
    change=", ".join(CHANGE),
    totals=", ".join(f"{name} = EXCLUDED.{name}" for name in RATING if name not in _KEY),
)
