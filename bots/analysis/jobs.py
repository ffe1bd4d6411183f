"""Analyses in the database: asked for once, kept decision by decision, found when they get lost."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec
from django.conf import settings
from django.db import connection, transaction

from bots.analysis.analyser import VERSION
from bots.analysis.report import AnalysisResult, JudgedMove
from bots.models import Analysis
from games.services.errors import ServiceError

# An analysis that went on so few seconds ago is not lost.
GRACE_SECONDS: Final = 2.0
SWEEP_LIMIT: Final = 8
# After so many seconds one that made way for turns of bots tries again.
REST_SECONDS: Final = 1.0
# One that has not gone on for so long makes way no more.
STARVED_SECONDS: Final = 30.0

_UNFINISHED: Final = (Analysis.Status.WAITING, Analysis.Status.RUNNING)
_ONE_BY_ONE: Final = "SELECT pg_advisory_xact_lock(hashtext('bots_analysis'))"
_CLAIM: Final = """
    UPDATE bots_analysis
    SET lease_until = clock_timestamp() + %s * interval '1 second', attempts = attempts + 1
    WHERE game_id = %s AND version = %s AND status IN ('waiting', 'running')
      AND (lease_until IS NULL OR lease_until < clock_timestamp() OR lease_until = %s)
    RETURNING done, attempts, clock_timestamp() - moved_at > %s * interval '1 second'
"""
_KEEP: Final = """
    UPDATE bots_analysis
    SET parts = parts || %s::bytea, done = done + 1, of = %s, status = 'running', attempts = 0,
        moved_at = clock_timestamp(), lease_until = clock_timestamp() + %s * interval '1 second'
    WHERE game_id = %s AND version = %s AND status IN ('waiting', 'running') AND done = %s
"""
_REST: Final = """
    UPDATE bots_analysis
    SET lease_until = clock_timestamp() + %s * interval '1 second',
        attempts = greatest(attempts, 1) - 1
    WHERE game_id = %s AND version = %s AND status IN ('waiting', 'running')
"""
_SWEEP: Final = """
    UPDATE bots_analysis a
    SET lease_until = clock_timestamp() + %s * interval '1 second'
    FROM (
        SELECT game_id FROM bots_analysis
        WHERE version = %s AND status IN ('waiting', 'running')
          AND (lease_until IS NULL OR lease_until < clock_timestamp())
          AND moved_at < clock_timestamp() - %s * interval '1 second'
        ORDER BY asked_at LIMIT %s FOR UPDATE SKIP LOCKED
    ) lost
    WHERE a.game_id = lost.game_id AND a.version = %s
    RETURNING a.game_id, a.lease_until
"""
_lines = msgspec.json.Encoder()


class Claim(NamedTuple):
    """An analysis that is ours to go on with: decisions done, beginnings without one, this one
    included, and whether it has waited long.
    """

    done: int
    attempts: int
    starved: bool


class Lost(NamedTuple):
    """An analysis that the sweeper found; `lease` is the mark by which its message is known."""

    game_id: UUID
    lease: datetime


def analysis_get(game_id: UUID) -> Analysis | None:
    """The analysis of a game by the analyser of this release, if anybody has asked for it."""
    return Analysis.objects.filter(game_id=game_id, version=VERSION).first()


def analysis_ask(*, game_id: UUID, player_id: UUID) -> tuple[Analysis, bool]:
    """The one analysis of a game, and whether it is to be begun; a failed one is begun again.

    Whether the game is over, the caller knows. Raises ServiceError analysis.queue_full and
    analysis.too_many, where the server, or the player, has enough that are not done.
    """
    found = analysis_get(game_id)
    if found is not None and found.status != Analysis.Status.FAILED:
        return found, False
    with transaction.atomic():
        _execute(_ONE_BY_ONE)
        found = analysis_get(game_id)
        if found is not None and found.status != Analysis.Status.FAILED:
            return found, False
        _check_room(player_id)
        if found is not None:
            found.delete()
        return Analysis.objects.create(game_id=game_id, version=VERSION, asked_by=player_id), True


def analysis_claim(*, game_id: UUID, lease: datetime | None) -> Claim | None:
    """Take an analysis up; None if it is over or somebody else is busy with it.

    `lease` is what the sweeper left for the message that it sent.
    """
    seconds = settings.ANALYSIS_LEASE_SECONDS
    with connection.cursor() as cursor:
        cursor.execute(_CLAIM, [seconds, game_id, VERSION, lease, STARVED_SECONDS])
        row = cursor.fetchone()
    return None if row is None else Claim(*row)


def analysis_keep(*, game_id: UUID, done: int, of: int, decision: JudgedMove) -> bool:
    """Add the decision that follows `done` others; False if somebody else has."""
    line = _lines.encode(decision) + b"\n"
    kept = [line, of, settings.ANALYSIS_LEASE_SECONDS, game_id, VERSION, done]
    return _execute(_KEEP, kept) == 1


def analysis_rest(game_id: UUID) -> None:
    """Make way; the sweeper finds it again."""
    _execute(_REST, [REST_SECONDS, game_id, VERSION])


def analysis_release(game_id: UUID) -> None:
    """Let whoever gets the next message go on at once."""
    _unfinished(game_id).update(lease_until=None)


def analysis_parts(game_id: UUID) -> list[JudgedMove]:
    """The decisions kept so far."""
    parts = Analysis.objects.values_list("parts", flat=True).get(game_id=game_id, version=VERSION)
    return msgspec.json.Decoder(JudgedMove).decode_lines(bytes(parts))


def analysis_finish(game_id: UUID, report: AnalysisResult) -> None:
    """Keep the result in place of its parts."""
    _unfinished(game_id).update(
        status=Analysis.Status.DONE,
        of=len(report.decisions),
        result=_lines.encode(report),
        parts=b"",
        lease_until=None,
    )


def analysis_fail(game_id: UUID) -> None:
    """Give it up, until somebody asks for it again."""
    _unfinished(game_id).update(status=Analysis.Status.FAILED, parts=b"", lease_until=None)


def analysis_report(analysis: Analysis) -> AnalysisResult | None:
    """The result, if it is there."""
    if analysis.result is None:
        return None
    return msgspec.json.decode(bytes(analysis.result), type=AnalysisResult)


def lost_lease() -> list[Lost]:
    """Put a lease on analyses that nobody is busy with, the oldest first."""
    marks = [settings.ANALYSIS_LEASE_SECONDS, VERSION, GRACE_SECONDS, SWEEP_LIMIT, VERSION]
    with connection.cursor() as cursor:
        cursor.execute(_SWEEP, marks)
        return [Lost(*row) for row in cursor.fetchall()]


def _check_room(player_id: UUID) -> None:
    unfinished = Analysis.objects.filter(version=VERSION, status__in=_UNFINISHED)
    if unfinished.filter(asked_by=player_id).count() >= settings.ANALYSES_PER_PLAYER:
        raise ServiceError("analysis.too_many", limit=settings.ANALYSES_PER_PLAYER)
    if unfinished.count() >= settings.ANALYSES_WAITING:
        raise ServiceError("analysis.queue_full")


def _unfinished(game_id: UUID) -> Any:
    return Analysis.objects.filter(game_id=game_id, version=VERSION, status__in=_UNFINISHED)


def _execute(statement: str, parameters: Sequence[Any] = ()) -> int:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        changed: int = cursor.rowcount
        return changed
