"""Ladders rated anew, from a season on or from their beginning, by the numbers of their games."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from django.db import connection
from django.utils import timezone

from games.models.results import OVERALL, GameFinish, Ladder, RatingChange
from games.projections.fairness import WHOLE, Weight
from games.projections.ledger import LadderState, Ledger
from games.projections.meetings import MeetingBook
from games.projections.numbering import NO_TIMEOUTS
from games.projections.policy import policy
from games.projections.rating_rows import (
    CHANGE,
    GAMES,
    RATING,
    STOOD,
    FinishedRow,
    change_row,
    copy_rows,
    rating_row,
    read_game,
    read_standings,
)
from games.projections.standings import RatedGame

# Called after each batch with the number of games done and of all.
Progress = Callable[[int, int], None]
BATCH: Final = 500
# By ladder, the season from which it is rated anew; the empty text comes before all of them.
Scope = Mapping[str, str]
BEGINNING: Final = ""
_MAKE_LADDERS: Final = """
    INSERT INTO games_ladder (id, games, seasons) SELECT unnest(%s::varchar[]), 0, '{}'
    ON CONFLICT DO NOTHING
"""
# In the order in which games that end meanwhile take their two.
_LOCK_LADDERS: Final = """
    SELECT id, games, seasons, starts, drifts FROM games_ladder WHERE %s OR id = ANY(%s)
    ORDER BY id COLLATE "C" FOR UPDATE
"""
_CLEAR: Final = """
    WITH history AS (
        DELETE FROM games_ratingchange
        WHERE %(all)s OR (ladder = %(ladder)s AND season COLLATE "C" >= %(season)s)
    )
    DELETE FROM games_rating
    WHERE %(all)s OR (ladder = %(ladder)s AND season COLLATE "C" >= %(season)s)
"""
_WITHIN: Final = """
    WHERE f.overall_seq > %(after)s AND (%(all)s OR f.ladder = ANY(%(ladders)s))
"""
_SOME: Final = "SELECT count(*) FROM games_gamefinish f {within}"
_COUNT: Final = _SOME.format(within=_WITHIN)
_NEXT: Final = GAMES + _WITHIN + "ORDER BY f.overall_seq LIMIT %(limit)s"
_FIRST: Final = """
    SELECT min(overall_seq) FROM games_gamefinish WHERE ladder = %s AND ladder_seq > %s
"""
_REWEIGH: Final = """
    UPDATE games_gameresult r SET weight = s.weight, reduced = s.reduced
    FROM unnest(%s::uuid[], %s::uuid[], %s::float8[], %s::varchar[])
        AS s (game_id, player_id, weight, reduced)
    WHERE r.game_id = s.game_id AND r.player_id = s.player_id
"""
_STOOD: Final = "SELECT " + STOOD


def refold(progress: Progress, scope: Scope | None) -> int:
    """Rate games again by their numbers, in the caller's transaction; how many there were.

    All ladders if no scope is given; their locks are waited for as long as the transaction says.
    Shares of games are decided anew with all of `overall`, and are taken as they are otherwise.
    Everybody else sees the old rows until the commit.
    """
    states = _locked(scope)
    work = _Refolding(scope, states)
    done, total = 0, work.count()
    for batch in work.batches():
        work.play([row.game for row in batch])
        done += len(batch)
        progress(done, total)
    work.store()
    return done


def refold_counted(finish: FinishedRow) -> None:
    """Rate anew what a game had a part in that counts otherwise now: not at all, if it is voided.

    From the season in which it was counted on: what followed depends on it. The caller holds
    the lock of its row, so that nobody else is at it.
    """
    game_id = finish.game.game_id
    changes = RatingChange.objects.filter(game_id=game_id)
    scope = dict(changes.values_list("ladder", "season").distinct())
    if scope:
        refold(lambda _done, _total: None, scope)
    GameFinish.objects.filter(pk=game_id).update(rated_at=timezone.now())


def _locked(scope: Scope | None) -> dict[str, LadderState]:
    with connection.cursor() as cursor:
        cursor.execute(_MAKE_LADDERS, [list(scope or (OVERALL,))])
        cursor.execute(_LOCK_LADDERS, [scope is None, list(scope or ())])
        states = {name: LadderState(*state) for name, *state in cursor.fetchall()}
        cursor.execute(NO_TIMEOUTS)
        return states


class _Refolding:
    """The work in hand: what is left to begin from, and what has been made of it."""

    def __init__(self, scope: Scope | None, states: Mapping[str, LadderState]) -> None:
        self._scope = scope
        kept = None
        if scope is not None:
            kept = {ladder: states[ladder].before(season) for ladder, season in scope.items()}
        self._ledger = Ledger(kept)
        self._after = self._start(kept)
        # Ladders on which somebody may stand from before.
        self._older = [ladder for ladder, state in (kept or {}).items() if state.seasons]
        self._asked: set[UUID] = set()
        self._clear()
        whole = scope is None or scope.get(OVERALL) == BEGINNING
        self._book = MeetingBook(policy()) if whole else None

    def count(self) -> int:
        """How many games are to be rated."""
        with connection.cursor() as cursor:
            cursor.execute(_COUNT, self._parameters(self._after))
            return int(cursor.fetchone()[0])

    def batches(self) -> Iterator[list[FinishedRow]]:
        """The games in the order of their numbers."""
        after = self._after
        while True:
            with connection.cursor() as cursor:
                cursor.execute(_NEXT, {**self._parameters(after), "limit": BATCH})
                batch = [read_game(row) for row in cursor.fetchall()]
            if not batch:
                return
            yield batch
            after = dict(batch[-1].game.numbers)[OVERALL]

    def play(self, games: Sequence[RatedGame]) -> None:
        """Rate some games, and write what they changed."""
        self._recall({player for game in games for player in game.players})
        changes, reweighed = [], []
        for game in games:
            shares = self._shares(game)
            if self._book is not None:
                reweighed += _reweighed(game, shares)
            for placing, made in self._ledger.play(game, shares):
                changes += [change_row(game, placing, change) for change in made]
        copy_rows("games_ratingchange", CHANGE, changes)
        if reweighed:
            with connection.cursor() as cursor:
                cursor.execute(_REWEIGH, [list(column) for column in zip(*reweighed, strict=True)])

    def store(self) -> None:
        """Write where everybody stands in the end, and how far each ladder has counted."""
        last = self._ledger.last.values()
        copy_rows("games_rating", RATING, (rating_row(*one) for one in last))
        if self._book is not None:
            self._book.store()
        Ladder.objects.bulk_create(
            [
                Ladder(
                    id=name,
                    games=state.games,
                    seasons=state.seasons,
                    starts=state.starts,
                    drifts=state.drifts,
                )
                for name, state in self._ledger.ladders.items()
            ],
            update_conflicts=True,
            unique_fields=["id"],
            update_fields=["games", "seasons", "starts", "drifts"],
        )

    def _shares(self, game: RatedGame) -> Mapping[UUID, Weight]:
        if self._book is not None:
            return self._book.shares(game)
        return {seat.player: seat.weight for seat in game.outcomes if seat.weight.reason}

    def _parameters(self, after: int) -> dict[str, Any]:
        scope = self._scope
        everything = scope is None or OVERALL in scope
        return {"after": after, "all": everything, "ladders": list(scope or ())}

    def _start(self, kept: Mapping[str, LadderState] | None) -> int:
        """The number on `overall` after which the first game to be rated comes."""
        firsts = []
        with connection.cursor() as cursor:
            for ladder, state in (kept or {}).items():
                if ladder == OVERALL:
                    firsts.append(state.games + 1)
                    continue
                cursor.execute(_FIRST, [ladder, state.games])
                firsts += [first for (first,) in cursor.fetchall() if first is not None]
        return min(firsts, default=1) - 1

    def _clear(self) -> None:
        with connection.cursor() as cursor:
            for ladder, season in (self._scope or {"": BEGINNING}).items():
                whole = self._scope is None
                cursor.execute(_CLEAR, {"all": whole, "ladder": ladder, "season": season})

    def _recall(self, players: set[UUID]) -> None:
        """Where players stand from before the seasons that are rated anew."""
        strange = players - self._asked
        self._asked |= strange
        if not self._older or not strange:
            return
        with connection.cursor() as cursor:
            cursor.execute(_STOOD, [self._older, list(strange)])
            found = read_standings(cursor.fetchone()[0])
        for ladder, held in found.items():
            self._ledger.held[ladder].update(held)


def _reweighed(
    game: RatedGame, shares: Mapping[UUID, Weight]
) -> list[tuple[UUID, UUID, float, str]]:
    """Whose share was stored otherwise."""
    stored = {seat.player: seat.weight for seat in game.outcomes}
    return [
        (game.game_id, player, *shares.get(player, WHOLE))
        for player in sorted(stored)
        if stored[player] != shares.get(player, WHOLE)
    ]
