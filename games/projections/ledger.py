"""All ladders in memory, while many games are rated one after the other; pure."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple
from uuid import UUID

import msgspec

from games.projections.fairness import Weight
from games.projections.rating import drift_of, grains
from games.projections.standings import Change, Held, Placing, RatedGame, game_changes


class LadderState(msgspec.Struct):
    """A ladder's seasons: with which number each began, how far the mean of those ended drifted."""

    games: int = 0
    seasons: list[str] = []
    starts: list[int] = []
    drifts: list[float] = []

    def before(self, season: str) -> "LadderState":
        """As it was before it came to `season`. Rows of ended seasons do not change any more."""
        kept = [name for name in self.seasons if name < season]
        count = len(kept)
        if count < len(self.starts):
            games = self.starts[count] - 1
        elif count == len(self.seasons):
            games = self.games
        elif not kept:
            games = 0
        else:
            raise ValueError("a ladder does not say where a season began: rebuild all of them")
        return LadderState(games, kept, self.starts[:count], self.drifts[:count])


class Entered(NamedTuple):
    """Where a game was counted on one of its ladders, and what it did there."""

    placing: Placing
    changes: list[Change]


class Ledger:
    """Where everybody stands. `ladders` are those that are folded, from the states given on."""

    def __init__(self, ladders: Mapping[str, LadderState] | None) -> None:
        self._all = ladders is None
        self.ladders: dict[str, LadderState] = dict(ladders or {})
        self.held: dict[str, dict[UUID, Held]] = defaultdict(dict)
        # What each game left, the last one of a player in a season: the row of his standing.
        self.last: dict[tuple[str, str, UUID], tuple[RatedGame, Placing, Change]] = {}

    def play(self, game: RatedGame, shares: Mapping[UUID, Weight]) -> Iterator[Entered]:
        """Rate a game on those of its ladders that have not counted it yet."""
        for ladder, seq in game.numbers:
            if self._all or ladder in self.ladders:
                state = self.ladders.setdefault(ladder, LadderState())
                if seq > state.games:
                    yield self._enter(game, self._place(ladder, state, seq, game.season), shares)

    def _place(self, ladder: str, state: LadderState, seq: int, season: str) -> Placing:
        state.games = seq
        if not state.seasons or state.seasons[-1] < season:
            if len(state.drifts) < len(state.seasons):
                state.drifts.append(self._drift(ladder, state.seasons[-1]))
            state.seasons.append(season)
            state.starts.append(seq)
        drifts = dict(zip(state.seasons, state.drifts, strict=False))
        return Placing(ladder, seq, state.seasons[-1], drifts)

    def _enter(self, game: RatedGame, placing: Placing, shares: Mapping[UUID, Weight]) -> Entered:
        held = self.held[placing.ladder]
        changes = [] if game.voided else game_changes(game, placing, held, shares)
        for change in changes:
            held[change.player] = Held(placing.season, change.after)
            self.last[placing.ladder, placing.season, change.player] = (game, placing, change)
        return Entered(placing, changes)

    def _drift(self, ladder: str, season: str) -> float:
        ended = [
            one.standing.skill.mu for one in self.held[ladder].values() if one.season == season
        ]
        return drift_of(sum(map(grains, ended)), len(ended))
