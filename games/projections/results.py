"""From the end of a game to its result rows."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from django.db.models import Q
from msgspec.structs import replace

from games.models.results import GameFinish, GameResult
from games.projections.seasons import season_of
from games.rules.events import GameFinished, GameVoided, Result, Seat
from games.rules.game import Chair, Game, fold
from games.store.log import Stored

_FACTS: Final = (
    *("player", "ladder", "place", "players", "shared", "is_durak", "drew", "points"),
    *("unrated", "private", "finished_at"),
)
Unrated = GameResult.Unrated


class FinishedSeat(msgspec.Struct, frozen=True):
    """A seat and the account that held it.

    `absent`: the player resigned, or left and had not returned by the end.
    """

    seat: Seat
    player_id: UUID
    absent: bool = False


class FinishedGame(msgspec.Struct, frozen=True):
    """All that a result depends on. `options` are those that differ from the preset.

    `events` is how long the log was at the end, `voided_at` when the game was voided after it.
    """

    game_id: UUID
    ruleset: str
    options: Mapping[str, Any]
    rated: bool
    private: bool
    seats: tuple[FinishedSeat, ...]
    result: Result
    finished_at: datetime
    events: int = 0
    voided_at: datetime | None = None

    @property
    def surrendered(self) -> bool:
        """Whether somebody gave it up."""
        return any(seat.absent for seat in self.seats)


def finished_game(game_id: UUID, game: Game, finished_at: datetime) -> FinishedGame:
    """What a game's folded log says of its end. Raises ValueError while it has none."""
    if game.result is None:
        raise ValueError(f"game {game_id} is not finished")
    return FinishedGame(
        game_id=game_id,
        ruleset=game.ruleset,
        options=game.options,
        rated=game.rated,
        private=game.visibility == "private",
        seats=tuple(_seat(seat, chair) for seat, chair in enumerate(game.chairs)),
        result=game.result,
        finished_at=finished_at,
        events=game.version,
    )


def finished_log(game_id: UUID, stored: Sequence[Stored]) -> FinishedGame | None:
    """The end that a whole log tells of, and whether it was voided; None if it has none."""
    ends = [one for one in stored if isinstance(one.event, GameFinished)]
    if not ends:
        return None
    played = stored[: ends[-1].seq]
    game = fold(None, tuple(one.event for one in played))
    voided = [one.at for one in stored if isinstance(one.event, GameVoided)]
    end = finished_game(game_id, game, ends[-1].at)
    return replace(end, voided_at=voided[-1] if voided else None)


class Place(msgspec.Struct, frozen=True):
    """How one seat ended: place (one more than the seats before it), shared, durak, in a draw."""

    place: int
    shared: bool
    is_durak: bool
    drew: bool


def results_record(*, game: FinishedGame) -> None:
    """Insert the game's rows, in the transaction of its last move; again changes nothing."""
    GameResult.objects.bulk_create(result_rows(game), ignore_conflicts=True)
    if not unrated(game):
        GameFinish.objects.bulk_create([finish_row(game)], ignore_conflicts=True)


def results_void(*, game: FinishedGame) -> None:
    """Note in a game's rows that it was voided, in the transaction of that verdict.

    Its numbers stay; the ladders that had counted it wait for `ratings_apply`.
    """
    if unrated(game) != Unrated.VOIDED:
        return
    # In the order in which ratings are applied: first what they lock, then the seats.
    finish = GameFinish.objects.filter(pk=game.game_id)
    finish.filter(overall_seq=None).delete()
    finish.update(voided=True, rated_at=None)
    GameResult.objects.filter(game=game.game_id).update(unrated=Unrated.VOIDED)


def results_store(games: Sequence[FinishedGame]) -> None:
    """Write the games' rows as they should be, whatever there is."""
    _lock([game.game_id for game in games])
    GameResult.objects.bulk_create(
        [row for game in games for row in result_rows(game)],
        update_conflicts=True,
        unique_fields=["game", "seat"],
        update_fields=_FACTS,
    )
    why = {game.game_id: unrated(game) for game in games}
    GameFinish.objects.bulk_create(
        [finish_row(game) for game in games if not why[game.game_id]],
        update_conflicts=True,
        unique_fields=["game"],
        update_fields=["ladder", "finished_at", "events", "surrendered", "voided"],
    )
    uncounted = GameFinish.objects.filter(pk__in=[game for game in why if why[game]])
    voided = [game for game in why if why[game] == Unrated.VOIDED]
    uncounted.filter(pk__in=voided).exclude(overall_seq=None).update(voided=True)
    uncounted.filter(Q(overall_seq=None) | ~Q(pk__in=voided)).delete()


def _lock(games: Sequence[UUID]) -> None:
    # What ratings lock first; they write the seats later.
    finishes = GameFinish.objects.filter(pk__in=games).order_by("pk")
    list(finishes.select_for_update(no_key=True).values_list("pk"))


def result_rows(game: FinishedGame) -> list[GameResult]:
    """One unsaved row a seat."""
    places, why = places_of(game), unrated(game)
    return [_row(game, seat, places[seat.seat], why) for seat in game.seats]


def finish_row(game: FinishedGame) -> GameFinish:
    """The unsaved row of a game that counts, not numbered yet."""
    return GameFinish(
        game_id=game.game_id,
        ladder=game.ruleset,
        finished_at=game.finished_at,
        events=game.events,
        surrendered=game.surrendered,
    )


def unrated(game: FinishedGame) -> str:
    """Why the game counts on no ladder (a value of GameResult.Unrated); empty if it does.

    A season that is over stays as it is: a game that is voided later keeps its part in it.
    """
    if not game.rated:
        return Unrated.CASUAL.value
    if game.options:
        return Unrated.OPTIONS.value
    if game.result.reason == "aborted":
        return Unrated.ABORTED.value
    if len({seat.player_id for seat in game.seats}) < 2:
        return Unrated.ONE_PLAYER.value
    if game.voided_at and season_of(game.voided_at) <= season_of(game.finished_at):
        return Unrated.VOIDED.value
    return Unrated.COUNTS.value


def places_of(game: FinishedGame) -> dict[Seat, Place]:
    """How every seat ended for its account (rulebook 3.7, 14).

    Absent players are durak: they come last, beside the seat that lost the cards if that is
    another one; the others keep their order.
    """
    absent = {seat.seat for seat in game.seats if seat.absent}
    duraks = _duraks(game.result) | absent
    groups = [tuple(seat for seat in group if seat not in duraks) for group in game.result.places]
    ranked = [group for group in (*groups, tuple(sorted(duraks))) if group]
    drawn = set(game.result.places[-1]) - absent if game.result.draw else set()
    return {
        seat: Place(
            1 + sum(map(len, ranked[:better])), len(group) > 1, seat in duraks, seat in drawn
        )
        for better, group in enumerate(ranked)
        for seat in group
    }


def _seat(seat: Seat, chair: Chair) -> FinishedSeat:
    if chair.player is None:
        raise ValueError(f"nobody held seat {seat}")
    left = chair.brain is not None and not chair.house
    return FinishedSeat(seat, UUID(chair.player), absent=chair.resigned or left)


def _duraks(result: Result) -> set[Seat]:
    if result.durak is None:
        return set()
    return {result.durak} if isinstance(result.durak, int) else set(result.durak)


def _row(game: FinishedGame, seat: FinishedSeat, place: Place, why: str) -> GameResult:
    points = game.result.points
    return GameResult(
        game_id=game.game_id,
        seat=seat.seat,
        player_id=seat.player_id,
        ladder=game.ruleset,
        place=place.place,
        players=len(game.seats),
        shared=place.shared,
        is_durak=place.is_durak,
        drew=place.drew,
        points=points[str(seat.seat)] if points else None,
        unrated=why,
        private=game.private,
        finished_at=game.finished_at,
    )
