"""Tables at which one game follows another, and the people who play there."""

import asyncio
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from bots.brains import brain_get
from tests.chaos.caller import Caller, World, done
from tests.chaos.journal import Violation
from tests.chaos.ledger import Ack
from tests.chaos.readers import Form, Reader

BUDGET: Final = 100
# Seconds that a player thinks.
LONGEST_THOUGHT: Final = 0.12
# Of a hundred moves so many are bound to no version, and so many are asked again at once.
LOOSE, REPEATED = 15, 10
FORMS: Final[tuple[Form, ...]] = ("sse", "lines", "poll")


class Table(NamedTuple):
    """What is played: the ruleset, how many people, which bots."""

    ruleset: str
    people: int
    bots: tuple[str, ...] = ()
    rated: bool = True
    visibility: str = "public"

    @property
    def body(self) -> dict[str, Any]:
        """The body of the request that opens it."""
        return {
            "ruleset": self.ruleset,
            "seats": self.people + len(self.bots),
            "bots": [{"brain": brain} for brain in self.bots],
            "rated": self.rated,
            "visibility": self.visibility,
        }


TABLES: Final = (
    Table("throw_in", 2),
    Table("mau_mau", 1, ("greedy", "random")),
    Table("transfer", 1, ("greedy",)),
    Table("japanese_shedding", 3),
    Table("throw_in", 3, ("greedy",)),
    Table("hundred_one", 2, visibility="private"),
    Table("simple.face_out", 2, rated=False),
    Table("throw_in", 0, ("greedy", "greedy", "random")),
    Table("transfer.japanese", 4, visibility="private"),
    Table("mau_mau_32", 2, ("greedy",)),
)


class Company:
    """The people of one table, and somebody who only watches."""

    def __init__(self, world: World, number: int, reader: type[Reader] = Reader) -> None:
        self._world = world
        self._reader = reader
        self._table = TABLES[number % len(TABLES)]
        names = [f"p{world.seed}_{number}_{seat}" for seat in range(max(1, self._table.people))]
        self._people = [Caller(world, name) for name in names]
        self._watcher = Caller(world)
        self._chance = world.chance(f"table {number}")

    async def play_on(self) -> None:
        """One game after the other, as long as games are to begin."""
        for caller in self._people:
            await caller.register()
        while self._world.opening:
            await self._game()

    async def _game(self) -> None:
        ack = await self._open()
        self._world.journal.count("games")
        players = self._people[: self._table.people]
        async with asyncio.TaskGroup() as tasks:
            work = [tasks.create_task(reader.run()) for reader in self._readers(ack.game)]
            for seat, caller in enumerate(players):
                work.append(tasks.create_task(Player(caller, ack.game, seat).play()))
            leaving = tasks.create_task(self._leave(work))
            await asyncio.wait(work)
            leaving.cancel()

    async def _leave(self, work: Sequence[asyncio.Task[None]]) -> None:
        """Let a game be when it is late."""
        await self._world.over.wait()
        for task in work:
            task.cancel()

    async def _open(self) -> Ack:
        """A game at which everybody sits."""
        creator, *others = self._people
        ack = done(await creator.write("/games", self._table.body), "opening a table")
        invite = await self._invite(creator, ack.game)
        for caller in others:
            path = f"/games/{ack.game}/join"
            done(await caller.write(path, {"invite": invite}), f"{caller.name} joining")
        return ack

    async def _invite(self, creator: Caller, game: str) -> str:
        if self._table.visibility == "public":
            return ""
        view = await creator.get(f"/games/{game}")
        return str(view["invite"])

    def _readers(self, game: str) -> list[Reader]:
        """Two at each table, of any form, one of them in a seat."""
        callers = [self._chance.choice(self._people), self._chance.choice(self._people)]
        if self._table.visibility == "public":
            callers[1] = self._watcher
        return [self._reader(caller, game, self._chance.choice(FORMS)) for caller in callers]


class Player:
    """Somebody in a seat, who waits by long polls until it is his turn.

    A move for one version may be refused for one of `excuses`, and for nothing else.
    """

    excuses = frozenset({"move.stale_version"})

    def __init__(self, caller: Caller, game: str, seat: int) -> None:
        self.caller = caller
        self._world = caller.world
        self.path = f"/games/{game}"
        self.seat = seat
        self._reader = Reader(caller, game, "poll")
        self._known = 0
        self.moves = 0

    @property
    def stays(self) -> bool:
        """Whether he plays on: to the end of the game."""
        return not self._reader.finished

    async def play(self) -> None:
        """Play as long as he stays."""
        while self.stays:
            await self._reader.poll()
            if self.seat in self._reader.follows.get("to_act", ()):
                await self._think()
                await self.move()

    async def _think(self) -> None:
        if not self._world.proxy.is_calm:
            await asyncio.sleep(self.caller.chance.uniform(0, LONGEST_THOUGHT))

    async def move(self) -> None:
        """Look, and move if there is something to do. Raises Violation."""
        view = await self.caller.get(self.path)
        if view["version"] < max(self._known, self._reader.last):
            raise Violation(f"{self.path}: version {view['version']} after {self._known}")
        if view["you"]["seat"] != self.seat:
            raise Violation(f"{self.path}: seat {view['you']['seat']} is not {self.seat}")
        if not view["you"]["legal_moves"]:
            return
        chance = self.caller.chance
        brain = brain_get(chance.choice(("greedy", "greedy", "random"))).brain
        move = brain.choose(view, (), chance, BUDGET)
        match = "" if chance.random() * 100 < LOOSE else f'"v{view["version"]}"'
        result = await self.caller.write(f"{self.path}/moves", move, match)
        if isinstance(result, Ack):
            await self._note(result)
        elif match and result.code not in self.excuses:
            raise Violation(f"{move} of {self.path} at {match}: {result.body!r}")

    async def _note(self, ack: Ack) -> None:
        self._known = ack.version
        self.moves += 1
        self._world.journal.count("moves")
        if self.caller.chance.random() * 100 < REPEATED:
            await self.caller.repeat(ack)
