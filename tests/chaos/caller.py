"""A client that asks until it knows."""

import asyncio
import random
from typing import Any

import msgspec

from tests.chaos.journal import Journal, Violation
from tests.chaos.ledger import Ack, Ledger, digest_of_bytes
from tests.chaos.proxy import Proxy
from tests.chaos.wire import Answer, Broken, Request, ask

PATIENCE = 10.0
# No fault here lasts so long; who waits longer has been forgotten.
HOPELESS_AFTER = 90.0
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 1.0
UNSETTLED = frozenset({429, 502, 503, 504})


class World:
    """What all clients share. `opening` ends when no more games are to begin."""

    def __init__(self, seed: int, journal: Journal, proxy: Proxy) -> None:
        self.seed = seed
        self.journal = journal
        self.proxy = proxy
        self.ledger = Ledger()
        self.opening = True
        # Set when running games may be left as they are.
        self.over = asyncio.Event()

    def chance(self, name: str) -> random.Random:
        """A generator for one purpose."""
        return random.Random(f"{self.seed}:{name}")


class Caller:
    """One account, or nobody in particular without a name."""

    def __init__(self, world: World, name: str = "") -> None:
        self.world = world
        self.name = name
        self.token = ""
        self.chance = world.chance(f"caller {name}")
        self._keys = 0

    async def register(self) -> None:
        """Make the account, under another name if its own answer was lost."""
        wanted = self.name
        for attempt in range(1, 1000):
            body = msgspec.json.encode({"name": wanted})
            answer = await self.settle(Request("POST", "/players", {}, body))
            if answer.status == 201:
                break
            expect(answer, "player.name_taken", f"registering {wanted}")
            wanted = f"{self.name}_{attempt}"
        self.name, self.token = wanted, answer.json()["token"]
        self.world.ledger.tokens[wanted] = self.token

    async def get(self, path: str, waits: float = 0.0) -> Any:
        """The value at a path, which has to be there; the service may wait before it answers."""
        answer = await self.settle(Request("GET", path, self._headers()), waits)
        if answer.status != 200:
            raise Violation(f"GET {path} by {self.name or 'nobody'}: {answer.body!r}")
        return answer.json()

    async def write(self, path: str, body: Any, match: str = "") -> Ack | Answer:
        """Do something once, and know whether it was done: the Ack, or the refusal."""
        self._keys += 1
        key = f"{self.world.seed}-{self.name}-{self._keys}"
        headers = self._headers() | {"Idempotency-Key": key}
        if match:
            headers["If-Match"] = match
        request = Request("POST", path, headers, msgspec.json.encode(body))
        try:
            answer = await self.settle(request)
        except asyncio.CancelledError:
            self.world.ledger.unsure.add(key)
            raise
        if answer.status >= 300:
            if not match:
                self.world.ledger.unsure.add(key)
            return answer
        return self.world.ledger.acknowledge(self.name, key, request, answer)

    async def repeat(self, ack: Ack) -> None:
        """Ask for something that was done once more. Raises Violation for another answer."""
        answer = await self.settle(ack.request)
        self.world.journal.count("repeated")
        replayed = answer.head.headers.get("idempotency-replayed") == "true"
        same = (answer.status, digest_of_bytes(answer.body)) == (ack.status, ack.digest)
        if not (same and replayed):
            raise Violation(f"{ack}: repeated, it is answered {answer.status} {answer.body!r}")

    async def settle(self, request: Request, waits: float = 0.0) -> Answer:
        """The first answer that says what is. Raises Violation if there is none for too long.

        The time for which the service `waits` on purpose is no outage.
        """
        journal, pause, since = self.world.journal, FIRST_PAUSE, None
        while True:
            began = journal.seconds
            answer = await self._try(request, PATIENCE + waits)
            if answer is not None:
                if since is not None:
                    journal.outage(since, max(began, journal.seconds - waits), str(request))
                return answer
            since = journal.seconds if since is None else since
            if journal.seconds - since > HOPELESS_AFTER:
                raise Violation(f"{request}: no answer in {HOPELESS_AFTER:.0f} s")
            journal.count("retries")
            await asyncio.sleep(pause * self.chance.uniform(0.5, 1.5))
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _try(self, request: Request, seconds: float) -> Answer | None:
        try:
            answer = await ask(self.world.proxy.address, request, seconds)
        except Broken:
            return None
        if answer.status in UNSETTLED or answer.code == "idempotency.in_progress":
            return None
        if answer.status >= 500 or (answer.status >= 400 and not answer.code):
            raise Violation(f"{request}: {answer.status} {answer.body!r}")
        return answer

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}


def expect(answer: Answer, code: str, doing: str) -> None:
    """Raise Violation for any other refusal."""
    if answer.code != code:
        raise Violation(f"{doing}: {answer.status} {answer.body!r}")


def done(result: Ack | Answer, doing: str) -> Ack:
    """What cannot be refused was done. Raises Violation."""
    if isinstance(result, Answer):
        raise Violation(f"{doing}: {result.status} {result.body!r}")
    return result
