"""From a game that counts to what it changes on two ladders; pure, so a rebuild agrees."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec

from games.models.results import OVERALL, Rating, RatingChange
from games.projections.rating import (
    START,
    Entry,
    Skill,
    carried,
    displayed,
    is_provisional,
    rate_game,
    uncertainty,
)


class Standing(msgspec.Struct, frozen=True):
    """A player on a ladder in a season: skill, and totals of the season's games.

    Runs, without being durak and in the first place, are carried over from season to season;
    `_best` is the longest that one reached in this season.
    """

    skill: Skill = START
    games: int = 0
    durak_count: int = 0
    first_places: int = 0
    draws: int = 0
    points: int = 0
    safe_run: int = 0
    safe_best: int = 0
    first_run: int = 0
    first_best: int = 0


class Outcome(msgspec.Struct, frozen=True):
    """How one seat ended, of what kind its account is; `points` 0 where none are counted."""

    player: UUID
    kind: str
    place: int
    is_durak: bool
    drew: bool
    points: int


class RatedGame(msgspec.Struct, frozen=True):
    """A game with its numbers on its ladder and on `overall`."""

    game_id: UUID
    ladder: str
    season: str
    finished_at: datetime
    ladder_seq: int
    overall_seq: int
    outcomes: tuple[Outcome, ...]


class Change(msgspec.Struct, frozen=True):
    """What a game did to one player on one ladder; `place` is the best of his seats."""

    ladder: str
    seq: int
    player: UUID
    kind: str
    place: int
    before: Standing
    after: Standing


Seasons = Mapping[str, Standing]
Known = Mapping[tuple[str, UUID], Seasons]
NEWCOMER: Final = Standing()


def game_changes(game: RatedGame, known: Known) -> list[Change]:
    """The changes on both ladders; `known` holds standings by ladder and player, then by season."""
    numbers = ((game.ladder, game.ladder_seq), (OVERALL, game.overall_seq))
    return [change for ladder, seq in numbers for change in _on_ladder(game, known, ladder, seq)]


def standing_in(season: str, seasons: Seasons) -> Standing:
    """Where a player stands before his next game of `season`; a first one carries an older over."""
    if season in seasons:
        return seasons[season]
    earlier = [name for name in seasons if name < season]
    if not earlier:
        return NEWCOMER
    last = seasons[max(earlier)]
    return Standing(carried(last.skill), safe_run=last.safe_run, first_run=last.first_run)


def rating_row(game: RatedGame, change: Change) -> Rating:
    """The unsaved row of a standing after a game."""
    after = change.after
    return Rating(
        player_id=change.player,
        ladder=change.ladder,
        season=game.season,
        kind=change.kind,
        mu=after.skill.mu,
        sigma=after.skill.sigma,
        rating=displayed(after.skill),
        uncertainty=uncertainty(after.skill),
        provisional=is_provisional(after.skill, after.games),
        games=after.games,
        durak_count=after.durak_count,
        first_places=after.first_places,
        draws=after.draws,
        points=after.points,
        safe_run=after.safe_run,
        safe_best=after.safe_best,
        first_run=after.first_run,
        first_best=after.first_best,
        updated_seq=change.seq,
        updated_at=game.finished_at,
    )


def standing_of(row: Rating) -> Standing:
    """The standing that a row holds."""
    return Standing(
        Skill(row.mu, row.sigma),
        games=row.games,
        durak_count=row.durak_count,
        first_places=row.first_places,
        draws=row.draws,
        points=row.points,
        safe_run=row.safe_run,
        safe_best=row.safe_best,
        first_run=row.first_run,
        first_best=row.first_best,
    )


def change_row(game: RatedGame, change: Change) -> RatingChange:
    """The unsaved row of a change."""
    before, after = change.before.skill, change.after.skill
    return RatingChange(
        game_id=game.game_id,
        player_id=change.player,
        ladder=change.ladder,
        season=game.season,
        seq=change.seq,
        place=change.place,
        mu_before=before.mu,
        sigma_before=before.sigma,
        mu_after=after.mu,
        sigma_after=after.sigma,
        rating_before=displayed(before),
        rating_after=displayed(after),
        finished_at=game.finished_at,
    )


def _on_ladder(game: RatedGame, known: Known, ladder: str, seq: int) -> list[Change]:
    seats: dict[UUID, list[Outcome]] = {}
    for outcome in game.outcomes:
        seats.setdefault(outcome.player, []).append(outcome)
    before = {player: standing_in(game.season, known.get((ladder, player), {})) for player in seats}
    skills = rate_game(ladder, _entries(game.outcomes, before))
    return [
        Change(
            ladder=ladder,
            seq=seq,
            player=player,
            kind=seats[player][0].kind,
            place=min(outcome.place for outcome in seats[player]),
            before=before[player],
            after=_after(before[player], skills[player], seats[player]),
        )
        for player in sorted(seats)
    ]


def _entries(outcomes: Iterable[Outcome], before: Mapping[UUID, Standing]) -> list[Entry]:
    return [
        Entry(outcome.player, before[outcome.player].skill, outcome.place) for outcome in outcomes
    ]


def _after(before: Standing, skill: Skill, seats: Sequence[Outcome]) -> Standing:
    won = any(seat.place == 1 and not seat.drew for seat in seats)
    lost = any(seat.is_durak for seat in seats)
    safe_run = 0 if lost else before.safe_run + 1
    first_run = before.first_run + 1 if won else 0
    return Standing(
        skill,
        games=before.games + 1,
        durak_count=before.durak_count + lost,
        first_places=before.first_places + won,
        draws=before.draws + any(seat.drew for seat in seats),
        points=before.points + sum(seat.points for seat in seats),
        safe_run=safe_run,
        safe_best=max(before.safe_best, safe_run),
        first_run=first_run,
        first_best=max(before.first_best, first_run),
    )
