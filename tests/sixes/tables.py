"""The tables, and who sits there."""

import asyncio
import random
from typing import Any, Final, NamedTuple

from tests.chaos.caller import Caller, World, done, expect
from tests.chaos.fates import CUTS, Fate, Passing
from tests.chaos.journal import Violation
from tests.chaos.readers import Reader
from tests.chaos.tables import Player
from tests.chaos.wire import Answer

PEOPLE: Final = 4
BOTS: Final = ("greedy", "random")
RULESETS: Final = ("throw_in", "mau_mau", "transfer", "english_durak", "simple")
POLICIES: Final = ("safe_move", "bot")
# Whoever walks away has made so many moves at most.
LONGEST_STAY: Final = 2


class Told(NamedTuple):
    """What a table knows of its game: its id, and which seat was left alone."""

    game: str
    walker: int
    policy: str


class Person(Player):
    """Somebody who comes back when the clock has given his seat to a bot: the service may be slow.

    The bot may come between his look at the table and his move.
    """

    excuses = Player.excuses | {"move.not_your_turn"}

    async def move(self) -> None:
        """Take the seat back if need be, and move."""
        view = await self.caller.get(self.path)
        if view["status"] == "running" and view["seats"][self.seat]["bot"]:
            answer = await self.caller.write(f"{self.path}/return", {})
            if isinstance(answer, Answer):
                expect(answer, "game.over", f"{self.caller.name} coming back")
            self.caller.world.journal.count("returns")
        await super().move()


class Walker(Person):
    """Somebody who goes without a word after `moves` moves."""

    def __init__(self, caller: Caller, game: str, seat: int, moves: int) -> None:
        super().__init__(caller, game, seat)
        self._most = moves

    @property
    def stays(self) -> bool:
        """Whether he has not made them all."""
        return super().stays and self.moves < self._most


class Table:
    """One game of four people and two bots."""

    def __init__(self, world: World, number: int, turn_seconds: int) -> None:
        self._world = world
        self._chance = world.chance(f"table {number}")
        self._people = [Caller(world, f"six{world.seed}_{number}_{n}") for n in range(PEOPLE)]
        self._policy = POLICIES[number % len(POLICIES)]
        self._body = {
            "ruleset": RULESETS[number % len(RULESETS)],
            "seats": PEOPLE + len(BOTS),
            "bots": [{"brain": brain} for brain in BOTS],
            "turn_seconds": turn_seconds,
            "on_timeout": self._policy,
            "rated": True,
        }

    async def play(self) -> Told:
        """Play it to the end."""
        for caller in self._people:
            await caller.register()
        game = await self._open()
        seats = await self._seats(game)
        walker, moves = self._chance.randrange(PEOPLE), self._chance.randint(0, LONGEST_STAY)
        async with asyncio.TaskGroup() as tasks:
            for number, (caller, seat) in enumerate(zip(self._people, seats, strict=True)):
                stays = Person(caller, game, seat)
                goes = Walker(caller, game, seat, moves)
                tasks.create_task((goes if number == walker else stays).play())
            tasks.create_task(Reader(self._people[walker], game, "sse").run())
            tasks.create_task(Reader(Caller(self._world), game, "lines").run())
        self._world.journal.count("ended")
        return Told(game, seats[walker], self._policy)

    async def _open(self) -> str:
        creator, *others = self._people
        ack = done(await creator.write("/games", self._body), "opening a table")
        for caller in others:
            done(await caller.write(f"/games/{ack.game}/join", {}), f"{caller.name} joining")
        self._world.journal.count("games")
        return ack.game

    async def _seats(self, game: str) -> list[int]:
        seats = []
        for caller in self._people:
            view: dict[str, Any] = await caller.get(f"/games/{game}")
            if view["you"]["seat"] is None:
                raise Violation(f"{caller.name} has no seat in {game}")
            seats.append(int(view["you"]["seat"]))
        return seats


def cuts_only(chance: random.Random, passing: Passing) -> Fate:
    """What happens to a request: its connection may be cut at any place."""
    if chance.random() * 100 >= passing.odds.cut:
        return Fate()
    return Fate(chance.choice(CUTS), chance.random())
