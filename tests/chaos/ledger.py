"""What the players were told: what is compared with the store afterwards."""

import hashlib
from typing import Any

import msgspec

from tests.chaos.wire import Answer, Request

_canonical = msgspec.json.Encoder(order="sorted").encode


class Fact(msgspec.Struct, frozen=True):
    """An event that somebody was told of: its number and hash."""

    seq: int
    hash: str


class Ack(msgspec.Struct, frozen=True):
    """A write that was acknowledged: the request as it was sent, and its answer.

    `events` are those of a move; other writes answer with a view only. `version` is the game's
    after it.
    """

    player: str
    key: str
    request: Request
    game: str
    status: int
    digest: str
    version: int
    events: tuple[Fact, ...] = ()

    def __str__(self) -> str:
        return f"{self.request} with the key {self.key}, version {self.version}"


class Reading(msgspec.Struct):
    """What one reader got of one game: digests of its events, in the order of their numbers."""

    game: str
    viewer: str
    form: str
    token: str
    digests: list[str] = []
    finished: bool = False

    def __str__(self) -> str:
        return f"{self.form} of game {self.game} as {self.viewer or 'nobody'}"


class Ledger:
    """Everything that players know for sure."""

    def __init__(self) -> None:
        self.acks: list[Ack] = []
        self.readings: list[Reading] = []
        # Keys of moves that were refused without being bound to a version, of which a twin that was
        # still under way may have been accepted later; and of those whose player had to go.
        self.unsure: set[str] = set()
        self.tokens: dict[str, str] = {}

    def acknowledge(self, player: str, key: str, request: Request, answer: Answer) -> Ack:
        """Note a write that was carried out."""
        told = answer.json()
        view = told.get("view", told)
        events = tuple(Fact(event["seq"], event["hash"]) for event in told.get("events", ()))
        ack = Ack(
            player=player,
            key=key,
            request=request,
            game=view["id"],
            status=answer.status,
            digest=digest_of_bytes(answer.body),
            version=view["version"],
            events=events,
        )
        self.acks.append(ack)
        return ack

    @property
    def moves(self) -> int:
        """How many moves were acknowledged."""
        return sum(1 for ack in self.acks if ack.events)

    def versions(self) -> dict[str, int]:
        """The highest version of each game that somebody was told of."""
        known: dict[str, int] = {}
        for ack in self.acks:
            known[ack.game] = max(known.get(ack.game, 0), ack.version)
        return known


def digest_of_bytes(body: bytes) -> str:
    """The digest of an answer, byte by byte."""
    return hashlib.sha256(body).hexdigest()


def digest_of(value: Any) -> str:
    """The digest of a JSON value, however it was written."""
    return hashlib.sha256(_canonical(value)).hexdigest()
