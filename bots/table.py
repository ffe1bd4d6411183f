"""A table in memory: a game without a server, for the arena, the console and the tests."""

import hashlib
from collections.abc import Mapping
from copy import copy
from typing import Any

import msgspec

from bots.brains.registry import Answer
from games.rules import engine
from games.rules.events import Event, GameCreated, PlayerJoined, Result, Seat
from games.rules.game import Game, fold
from games.rules.moves import parse_move
from games.rules.rulesets.registry import Ruleset
from games.rules.shuffle import Entropy
from games.rules.views import Sitter, redact, view_for


class Table:
    """One game from the deal to its end. Everything follows from `seed`."""

    def __init__(self, ruleset: Ruleset, names: tuple[str, ...], seed: str) -> None:
        self.ruleset = ruleset
        self.sitters = tuple(Sitter(name, "bot") for name in names)
        secret = hashlib.sha256(seed.encode()).digest()
        self.entropy = Entropy(secret, seed, (b"",) * len(names))
        self.events: tuple[Event, ...] = (
            *opening(ruleset, names),
            *engine.start(ruleset.rules, len(names), self.entropy),
        )
        self.game: Game = fold(None, self.events)
        self.told: dict[Seat | None, list[dict[str, Any]]] = {}

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that may act now."""
        return self.game.to_act

    @property
    def result(self) -> Result | None:
        """How the game ended, if it has."""
        return self.game.result

    def view(self, seat: Seat | None) -> dict[str, Any]:
        """The view of a seat, as the API would send it."""
        seen: dict[str, Any] = msgspec.json.decode(
            msgspec.json.encode(view_for(self.game, seat, self.sitters))
        )
        return seen

    def history(self, seat: Seat | None) -> list[dict[str, Any]]:
        """All events so far, as the seat saw them."""
        seen = self.told.setdefault(seat, [])
        fresh = [
            {"seq": seq, **redact(self.events[seq - 1], seat)}
            for seq in range(len(seen) + 1, len(self.events) + 1)
        ]
        seen += msgspec.json.decode(msgspec.json.encode(fresh))
        return list(seen)

    def retold(self, events: tuple[Event, ...]) -> "Table":
        """The same table, had these events happened there."""
        other = copy(self)
        other.events, other.game, other.told = events, fold(None, events), {}
        return other

    def play(self, seat: Seat, body: Mapping[str, object] | Answer) -> tuple[Event, ...]:
        """Make a move and return its events. Raises MalformedMove and Refusal."""
        if self.game.state is None:
            raise ValueError("the cards are not dealt")
        move = parse_move(self.ruleset.family, body)
        events = engine.decide(self.game.state, seat, move, self.entropy)
        self.events += events
        self.game = fold(self.game, events)
        return events


def opening(ruleset: Ruleset, names: tuple[str, ...]) -> tuple[Event, ...]:
    """The events of a table that is full, before the deal."""
    created = GameCreated(
        ruleset=ruleset.id,
        options=ruleset.options,
        rules=msgspec.structs.asdict(ruleset.rules),
        ruleset_sha256=ruleset.sha256,
        seats=len(names),
        creator=names[0],
        rated=False,
        visibility="private",
        auto_start=True,
        match="console",
        game_number=1,
        commitment="",
        chain_commitment="",
    )
    joined = (
        PlayerJoined(seat=seat, player=f"{seat}", kind="bot", brain=name)
        for seat, name in enumerate(names)
    )
    return (created, *joined)
