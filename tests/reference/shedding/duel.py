"""The engine and the reference side by side, in one game."""

import random
from collections.abc import Iterable, Iterator
from itertools import permutations
from typing import Any

import msgspec

from games.rules import engine, referee
from games.rules.engine import SheddingState
from games.rules.events import Event
from games.rules.moves import Move
from games.rules.notation import read_position
from games.rules.rulesets.registry import Ruleset
from games.rules.shuffle import Entropy
from games.rules.views import reveal
from tests.reference.moves import cards_of
from tests.reference.shedding.dealing import deal
from tests.reference.shedding.refusals import why_not
from tests.reference.shedding.rulesets import DEFAULTS
from tests.reference.shedding.table import Table
from tests.reference.sides import Disagreement, Json, Sides, written

MoveKey = tuple[str, tuple[str, ...], str | None]


class Duel(Sides[SheddingState, Table]):
    """A game of the shedding family in two readings."""

    def __init__(
        self, chosen: Ruleset, state: SheddingState, entropy: Entropy, table: Table
    ) -> None:
        self.told: list[Json] = []
        table.shuffle = self.shuffled
        super().__init__(chosen, state, entropy, table)

    @classmethod
    def dealt(cls, chosen: Ruleset, players: int, rng: random.Random) -> "Duel":
        """A game from its deal on, dealt in both readings from the same pack."""
        entropy = Entropy(rng.randbytes(32), "duel", (b"",) * players)
        events = engine.start(chosen.rules, players, entropy)
        state = engine.fold(engine.empty_state(chosen.rules, players), events)
        assert isinstance(state, SheddingState)
        return cls(chosen, state, entropy, deal_again(chosen, [reveal(event) for event in events]))

    @classmethod
    def placed(cls, chosen: Ruleset, position: Json, rng: random.Random) -> "Duel":
        """A game from a position on."""
        state, _ = read_position(chosen.rules, position)
        assert isinstance(state, SheddingState)
        entropy = Entropy(rng.randbytes(32), "duel", (b"",) * state.seats)
        return cls(chosen, state, entropy, Table(position, dials(chosen)))

    def play(self, seat: int, move: Json) -> None:
        """Make a move in both readings, which must accept it and agree on what becomes of it."""
        events = self.decide(seat, move)
        self.told = [reveal(event) for event in events]
        self.made(seat, move, events)

    def decide(self, seat: int, move: Json) -> tuple[Event, ...]:
        """The engine's answer to a move."""
        return engine.decide(self.state, seat, as_sent(move), self.entropy)

    def shuffled(self, pile: list[str]) -> list[str]:
        """How the engine shuffled a pile in the last move, as its events tell."""
        for cards in list(card_lists(self.told)):
            if sorted(cards) == sorted(pile):
                return cards
        raise Disagreement(f"no event tells how {pile} was shuffled: {self.told}")

    def refused(self, seat: int, move: Json) -> str | None:
        """The reference's reason to refuse a move."""
        return why_not(self.table, seat, move)

    def counts(self, name: str) -> bool:
        """Whether a field of the position means anything now."""
        return name != "pending" or self.table.phase not in ("finished", "name_suit")

    def seen(self) -> tuple[Json, Json]:
        """The game as the engine and as the reference see it."""
        return seen(self.position(), self.state), self.table.snapshot()

    def comparable(self, name: str, position: Json) -> Any:
        """A field without regard to an order that means nothing."""
        return comparable(name, position)

    def compare_moves(self, seat: int) -> list[Json]:
        """The moves of a seat on which both agree."""
        moves = self.table.all_moves(seat)
        expected = {key_of(move) for move in moves}
        patterns = engine.legal_moves(self.state, seat)
        for pattern in patterns:
            if first_choice(pattern) not in expected:
                self.differ("the first choice of a pattern", None, pattern, "not allowed")
        self.compare_sets(seat, set(written_out(patterns)), expected)
        return moves

    def compare_referee(self, seat: int, move: Json) -> None:
        """Whether a written position says all that an allowed move depends on.

        But for how many moves there were, and for chance.
        """
        position = self.position()
        patterns = referee.rule(self.chosen.rules, position, []).legal_moves[str(seat)]
        if patterns != engine.legal_moves(self.state, seat):
            self.differ("legal moves by the referee", None, patterns, "as without it")
        if self.state.rules.recycle == "shuffle":
            return
        ruling = referee.rule(self.chosen.rules, position, [referee.Turn(seat, as_sent(move))])
        after = engine.fold(self.state, self.decide(seat, move))
        expected = written(after)
        if after.result is not None and after.result.reason == "max_moves":
            return
        for name in expected:
            ours, theirs = comparable(name, ruling.position), comparable(name, expected)
            if ours != theirs:
                self.differ(f"{name} by the referee", (seat, move), ours, theirs)


def dials(chosen: Ruleset) -> Json:
    """Every dial of a ruleset; what `points` leaves out counts as in mau-mau."""
    found = msgspec.structs.asdict(chosen.rules)
    points = found["points"]
    return found | {"points": {} if points is None else DEFAULTS["points"] | points}


def as_sent(move: Json) -> Move:
    """A move as the engine takes it."""
    return Move(move["type"], cards=tuple(cards_of(move)), suit=move.get("suit"))


def written_out(patterns: Iterable[engine.Pattern]) -> Iterator[MoveKey]:
    """The engine's patterns, move by move."""
    for pattern in patterns:
        suits = list(pattern.suits or ())
        named = suits if suits and pattern.suit_required else [None, *suits]
        for count in range(pattern.min or 0, (pattern.max or 0) + 1):
            for cards in permutations(pattern.cards or (), count):
                if not pattern.first or cards[0] in pattern.first:
                    yield from ((pattern.type, cards, suit) for suit in named)


def first_choice(pattern: engine.Pattern) -> MoveKey:
    """What a client plays that takes the first cards and the first suit of a pattern."""
    cards = tuple(pattern.cards or ())[: pattern.min or 0]
    return pattern.type, cards, pattern.suits[0] if pattern.suits else None


def key_of(move: Json) -> MoveKey:
    """A move that can stand in a set."""
    return move["type"], tuple(cards_of(move)), move.get("suit")


def card_lists(told: Any) -> Iterator[list[str]]:
    """Every list of cards anywhere in events."""
    if isinstance(told, dict):
        told = list(told.values())
    if isinstance(told, list | tuple):
        if told and all(isinstance(item, str) for item in told):
            yield list(told)
        for item in told:
            yield from card_lists(item)


def deal_again(chosen: Ruleset, told: list[Json]) -> Table:
    """The game that the reference deals from the pack that the engine had."""
    data: Json = {}
    for event in told:
        data |= {"first": event["seat"]} if event["type"] == "first_player_named" else event["data"]
    hands, dealer = data["hands"], data["dealer"]
    around = [hands[(dealer + step) % len(hands)] for step in range(1, len(hands) + 1)]
    pack = [card for cards in zip(*around, strict=True) for card in cards]
    pack += data["talon"]
    return deal(pack, len(hands), dealer, dials(chosen), data["first"])


def seen(position: Json, state: SheddingState) -> Json:
    """A position with the parts of the result that it leaves out."""
    result = state.result
    return position | {
        "draw": bool(position["draw"]),
        "reason": result.reason if result else None,
        "places": [sorted(place) for place in result.places] if result else [],
    }


def comparable(name: str, position: Json) -> Any:
    """A field without regard to an order that means nothing."""
    value: Any = position[name]
    if name == "hands":
        return [sorted(hand) for hand in value]
    if name == "passed":
        return sorted(value)
    return value
