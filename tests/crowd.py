"""A board that is large enough for plans to be those of a large board."""

from typing import Final
from uuid import UUID

from django.db import connection

PLAYERS: Final = 20_000
# In the first half everybody plays a neighbour, and every other one the first of all as well.
_CROWD: Final = """
    SET LOCAL statement_timeout = 0;
    CREATE FUNCTION pg_temp.id(number bigint) RETURNS uuid LANGUAGE sql IMMUTABLE
        AS $$ SELECT ('01900000-0000-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid $$;
    INSERT INTO games_player (id, name, name_key, kind, password, language, created_at)
    SELECT pg_temp.id(n), 'crowd-' || n, 'crowd-' || n,
        (ARRAY['bot', 'human', 'human'])[1 + n %% 3], '', 'en', now()
    FROM generate_series(0, %(players)s - 1) n;
    INSERT INTO games_rating (player_id, ladder, season, kind, mu, sigma, rating, uncertainty,
        provisional, games, durak_count, first_places, draws, points, updated_seq, updated_at)
    SELECT pg_temp.id(n), ladder, '2026Q4', (ARRAY['bot', 'human', 'human'])[1 + n %% 3], 25, 3,
        1000 + (n * 7919::bigint %% 1013), 90, n %% 4 = 0, 1 + n %% 130, 0, 0, 0, 0, 1, now()
    FROM generate_series(0, %(players)s - 1) n, (VALUES ('throw_in')) AS known (ladder);
    INSERT INTO games_game (id, creator_id, ruleset, options, visibility, rated, invite, match_id,
        game_number, seats, status, version, head_hash, server_seed, chain_secret, bot_secret,
        created_at, finished_at)
    SELECT pg_temp.id(n), pg_temp.id(n), 'throw_in', '{}', 'public', true, '', pg_temp.id(n),
        1, 2, 'finished', 1, '', '', '', '', now(),
        '2026-11-01 12:00Z'::timestamptz + n * '1s'::interval
    FROM generate_series(0, %(players)s / 2 - 1) n;
    INSERT INTO games_gameresult (game_id, seat, player_id, ladder, place, players, shared,
        is_durak, drew, unrated, private, finished_at)
    SELECT pg_temp.id(n), seat,
        pg_temp.id(CASE WHEN seat = 0 THEN n WHEN n %% 2 = 1 THEN 0 ELSE n + 1 END),
        (ARRAY['throw_in', 'transfer'])[1 + n / 2 %% 2], 1 + seat, 2,
        false, seat = 1, false, '', n %% 5 = 0,
        '2026-11-01 12:00Z'::timestamptz + n * '1s'::interval
    FROM generate_series(0, %(players)s / 2 - 1) n, generate_series(0, 1) seat;
    INSERT INTO games_ratingchange (game_id, player_id, ladder, season, seq, place, mu_before,
        sigma_before, mu_after, sigma_after, rating_before, rating_after, finished_at)
    SELECT game_id, player_id, ladder, '2026Q4', row_number() OVER (ORDER BY finished_at),
        place, 25, 3, 25, 3, 1200, 1210, finished_at
    FROM games_gameresult;
    ANALYZE games_player, games_rating, games_game, games_gameresult, games_ratingchange,
        games_boardcount;
    SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED
"""


def player_id(number: int) -> UUID:
    """The id of one of the crowd; games count alike."""
    return UUID(f"01900000-0000-7000-8000-{number:012x}")


def crowd_gather() -> None:
    """Fill the tables of scores, the counts by their triggers."""
    with connection.cursor() as cursor:
        cursor.execute(_CROWD % {"players": PLAYERS})


def plans(statements: list[str]) -> str:
    """How the database goes about statements with all their values."""
    lines: list[str] = []
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute("EXPLAIN " + statement.replace("%", "%%"))
            lines += [line for (line,) in cursor.fetchall()]
    return "\n".join(lines)
