"""Games against the clock: quick moves, slow ones, none at all, and a service that fails."""

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from hypothesis import strategies as st
from msgspec.structs import replace

from games.rules import engine
from games.rules import game as games
from games.rules.clocks import extensions, stamped, turns_run_out
from games.rules.events import Event, SeatReturned
from games.rules.game import Game
from tests.rules.playing import Setting, any_turn, entropy, opening

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
MOST_WRITES = 400
TERMS: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {
        "turn_seconds": st.sampled_from((5, 30, 86_400)),
        "bank_seconds": st.sampled_from((0, 0, 7, 60)),
        "on_timeout": st.sampled_from(("safe_move", "bot", "forfeit")),
    }
)


class Told(NamedTuple):
    """An event, when it was stored, and the game after it."""

    event: Event
    at: datetime
    game: Game


class Clocked:
    """A game that writes down when everything happened, as the store does."""

    def __init__(self, setting: Setting, terms: dict[str, Any]) -> None:
        self.chance = entropy(setting)
        self.now = BEGAN
        self.log: list[Told] = []
        created, *joined = opening(setting)
        self.write([replace(created, **terms)])
        self.write(joined)
        self.write(engine.start(setting.rules.rules, setting.seats, self.chance))

    @property
    def game(self) -> Game:
        """The game as it stands."""
        return self.log[-1].game

    def write(self, events: Sequence[Event]) -> None:
        """Store events at this moment."""
        before = self.log[-1].game if self.log else None
        for event in events if before is None else stamped(before, events, self.now):
            before = games.evolve(before, event)
            self.log.append(Told(event, self.now, before))

    def wait(self, seconds: float) -> None:
        """Let time go by."""
        self.now += timedelta(seconds=seconds)

    def time_out(self) -> None:
        """Let the time of the turn run out, and act for who is late."""
        assert self.game.deadline is not None
        self.now = max(self.now, self.game.deadline)
        self.write(turns_run_out(self.game, self.now, "greedy", self.chance))

    def fail(self, seconds: float) -> None:
        """Be out of order for a while, and give the time back."""
        began = self.now
        self.wait(seconds)
        self.write(extensions(self.game, [(began, self.now)]))

    def come_back(self) -> None:
        """Everybody whom a bot replaced takes his seat again."""
        for seat, chair in enumerate(self.game.chairs):
            if chair.brain is not None and not chair.resigned and self.game.state is not None:
                follows = engine.standing(self.game.state)
                self.write([SeatReturned(seat=seat, next=follows)])

    def move(self, rng: random.Random) -> None:
        """Any legal move."""
        assert self.game.state is not None
        seat, move = any_turn(self.game.state, rng)
        self.write(engine.decide(self.game.state, seat, move, self.chance))


def clocked(setting: Setting, terms: dict[str, Any], rng: random.Random) -> Clocked:
    """A random game to its end, or for many writes."""
    table = Clocked(setting, terms)
    for _ in range(MOST_WRITES):
        if table.game.status == "finished":
            break
        what = rng.random()
        table.wait(rng.choice((0.0, 0.001, 2.5, 6.0001)))
        if what < 0.1 or table.game.deadline is None or table.now >= table.game.deadline:
            table.time_out()
        elif what < 0.13:
            table.fail(rng.choice((3.0, 7.5, 100_000.0)))
        elif what < 0.16:
            table.come_back()
        else:
            table.move(rng)
    return table
