"""Who met whom on a day, counted anew while all games are rated again."""

from collections.abc import Iterable
from datetime import date
from typing import Final
from uuid import UUID

from games.models.results import Meeting
from games.projections.fairness import Met, Pair, Policy, Weight, pairs_of, weights
from games.projections.rating_rows import copy_rows
from games.projections.standings import RatedGame

_COLUMNS: Final = ("low", "high", "day", "games", "surrenders")
# Games come by and large in the order of their days: older ones are put away.
DAYS_KEPT: Final = 2


class MeetingBook:
    """Counts meetings as `ratings_apply` does, in the order in which games come."""

    def __init__(self, rules: Policy) -> None:
        self._rules = rules
        self._days: dict[date, dict[Pair, Met]] = {}
        Meeting.objects.all().delete()

    def shares(self, game: RatedGame) -> dict[UUID, Weight]:
        """What a game counts for its players; it is counted with this."""
        if not self._rules.looks_at_pairs:
            return {}
        day, early = self._day(game.day), game.is_early(self._rules.early_events)
        found = weights(self._rules, game.players, day, early=early)
        for pair in pairs_of(game.players):
            games, surrenders = day.get(pair, (0, 0))
            day[pair] = Met(games + 1, surrenders + early)
        return found

    def store(self) -> None:
        """Write what is not written yet."""
        self._put_away(sorted(self._days))

    def _day(self, day: date) -> dict[Pair, Met]:
        if day not in self._days:
            self._put_away(sorted(self._days)[: 1 - DAYS_KEPT])
            rows = Meeting.objects.filter(day=day)
            self._days[day] = {(row.low, row.high): Met(row.games, row.surrenders) for row in rows}
            rows.delete()
        return self._days[day]

    def _put_away(self, days: Iterable[date]) -> None:
        for day in days:
            counted = self._days.pop(day).items()
            rows = ((low, high, day, *met) for (low, high), met in counted)
            copy_rows("games_meeting", _COLUMNS, rows)
