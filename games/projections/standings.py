"""From a game that counts to what it changes on a ladder; pure, so a rebuild agrees."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Final, NamedTuple
from uuid import UUID

import msgspec

from games.projections.fairness import WHOLE, Weight
from games.projections.rating import START, Entry, Skill, carried, rate_game, scaled


class Standing(NamedTuple):
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


class Held(NamedTuple):
    """The newest season in which a player stands on a ladder, and how."""

    season: str
    standing: Standing


class Outcome(NamedTuple):
    """How one seat ended, of what kind its account is; `points` 0 where none are counted.

    `weight` is what was last decided about the account's share of the game.
    """

    player: UUID
    kind: str
    place: int
    is_durak: bool
    drew: bool
    points: int
    weight: Weight = WHOLE


class RatedGame(msgspec.Struct, frozen=True):
    """A game that counts. `numbers` are those on its ladders, in the order in which it gets them.

    `season` is that of its end; `surrendered` with how many `events`: whether it was given up.
    `voided`: it keeps its numbers and changes nothing.
    """

    game_id: UUID
    season: str
    finished_at: datetime
    outcomes: tuple[Outcome, ...]
    events: int = 0
    surrendered: bool = False
    voided: bool = False
    numbers: tuple[tuple[str, int], ...] = ()

    @property
    def players(self) -> set[UUID]:
        """The accounts that took part."""
        return {outcome.player for outcome in self.outcomes}

    @property
    def day(self) -> date:
        """The day of its end, in UTC."""
        return self.finished_at.astimezone(UTC).date()

    def is_early(self, events: int) -> bool:
        """Whether it was given up within its first so many events."""
        return self.surrendered and self.events <= events


class Placing(NamedTuple):
    """Where a game is counted: its number on a ladder, and the season that the ladder is in.

    `drifts` says of earlier seasons how far the mean of all players had moved at their end.
    """

    ladder: str
    seq: int
    season: str
    drifts: Mapping[str, float]


class Change(NamedTuple):
    """What a game did to one player on one ladder; `place` is the best of his seats."""

    player: UUID
    kind: str
    place: int
    before: Standing
    after: Standing


NEWCOMER: Final = Standing()


def game_changes(
    game: RatedGame, placing: Placing, held: Mapping[UUID, Held], shares: Mapping[UUID, Weight]
) -> list[Change]:
    """The changes on a ladder, by player, from where each stands there; `shares` missing: whole.

    A player for whom the game does not count is left out.
    """
    seats: dict[UUID, list[Outcome]] = {}
    for outcome in game.outcomes:
        seats.setdefault(outcome.player, []).append(outcome)
    before = {player: standing_in(placing, held.get(player)) for player in seats}
    skills = rate_game(_entries(game.outcomes, before))
    changes = []
    for player in sorted(seats):
        share = shares.get(player, WHOLE).share
        if share:
            skill = scaled(before[player].skill, skills[player], share)
            changes.append(_change(player, seats[player], before[player], skill))
    return changes


def standing_in(placing: Placing, held: Held | None) -> Standing:
    """Where a player stands before a game; the first one of a season carries an older over."""
    if held is None:
        return NEWCOMER
    if held.season == placing.season:
        return held.standing
    last = held.standing
    skill = carried(last.skill, placing.drifts.get(held.season, 0.0))
    return Standing(skill, safe_run=last.safe_run, first_run=last.first_run)


def _change(player: UUID, seats: Sequence[Outcome], before: Standing, skill: Skill) -> Change:
    place = min(seat.place for seat in seats)
    return Change(player, seats[0].kind, place, before, _after(before, skill, seats))


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
        before.games + 1,
        before.durak_count + lost,
        before.first_places + won,
        before.draws + any(seat.drew for seat in seats),
        before.points + sum(seat.points for seat in seats),
        safe_run,
        max(before.safe_best, safe_run),
        first_run,
        max(before.first_best, first_run),
    )
