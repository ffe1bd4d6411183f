"""Kinds of tampering with one game, and what may be named as its first bad event.

`alone` is whether it shows without the anchor file. What is told of a kind holds for each event
of each game that it can be done to; where it cannot, it raises Impossible.
"""

import random
from collections.abc import Callable
from typing import Any, Final, NamedTuple
from uuid import UUID

from games.models import GameEvent
from games.rules.events import EVENTS
from tests.store.tampering import execute


class Impossible(Exception):
    """This game has no place for it."""


class Victim(NamedTuple):
    """A game, the versions that were its head at some time, and another game."""

    id: UUID
    heads: list[int]
    other: UUID

    @property
    def length(self) -> int:
        """How many events it has."""
        return GameEvent.objects.filter(game=self.id).count()


class Shown(NamedTuple):
    """The first bad event lies between these; `alone`: without the anchor file it shows too.

    `game` is the one that is named, if it is not the victim.
    """

    first: int
    last: int
    alone: bool = True
    game: UUID | None = None


Kind = Callable[[Victim, random.Random], Shown]
KINDS: Final[dict[str, Kind]] = {}
EVENT: Final = "UPDATE games_gameevent SET {} WHERE game_id = %s AND seq = %s"


def kind(made: Kind) -> Kind:
    """List it by its name."""
    KINDS[made.__name__.replace("_", " ")] = made
    return made


def event_kind(name: str, change: str) -> None:
    """A kind that changes a column of one event, and nothing else."""

    def made(victim: Victim, rng: random.Random) -> Shown:
        seq = rng.randint(1, victim.length)
        execute(EVENT.format(change), victim.id, seq)
        return Shown(seq, seq)

    KINDS[name] = made


event_kind("a time", "at = at + '1 us'::interval")
event_kind("a time that is none", "at = 'infinity'")
event_kind("a version", "schema_version = schema_version + 1")
event_kind("a field more", "data = data || '{\"mood\": 1}'")
event_kind("no facts", "data = '[]'")
event_kind("facts that nobody reads", "data = data || '{\"seat\": 1e999}'")


@kind
def a_byte_of_the_facts(victim: Victim, rng: random.Random) -> Shown:
    """One letter or digit of the JSON."""
    seq = rng.randint(1, victim.length)
    facts = GameEvent.objects.get(game=victim.id, seq=seq).data
    GameEvent.objects.filter(game=victim.id, seq=seq).update(data=bent(facts, rng))
    return Shown(seq, seq)


def bent(facts: Any, rng: random.Random) -> Any:
    """The same with one leaf changed."""
    if isinstance(facts, dict) and facts:
        name = rng.choice(sorted(facts))
        return {**facts, name: bent(facts[name], rng)}
    if isinstance(facts, list) and facts:
        at = rng.randrange(len(facts))
        return [*facts[:at], bent(facts[at], rng), *facts[at + 1 :]]
    if isinstance(facts, bool) or not isinstance(facts, int | str) or facts == "":
        return 1 if facts is not True else False
    if isinstance(facts, int):
        return facts + rng.choice([-1, 1])
    at = rng.randrange(len(facts))
    return facts[:at] + chr(ord(facts[at]) ^ 1) + facts[at + 1 :]


@kind
def a_field_less(victim: Victim, rng: random.Random) -> Shown:
    """A fact is missing."""
    seq = rng.randint(1, victim.length)
    facts = GameEvent.objects.get(game=victim.id, seq=seq).data
    if not facts:
        raise Impossible
    facts.pop(rng.choice(sorted(facts)))
    GameEvent.objects.filter(game=victim.id, seq=seq).update(data=facts)
    return Shown(seq, seq)


@kind
def a_type(victim: Victim, rng: random.Random) -> Shown:
    """Another type, or one that is none."""
    seq = rng.randint(1, victim.length)
    known = GameEvent.objects.get(game=victim.id, seq=seq).type
    kinds = sorted({*EVENTS, "x"} - {known})
    GameEvent.objects.filter(game=victim.id, seq=seq).update(type=rng.choice(kinds))
    return Shown(seq, seq)


@kind
def a_bit_of_a_hash(victim: Victim, rng: random.Random) -> Shown:
    """One of 256."""
    seq = rng.randint(1, victim.length)
    event = GameEvent.objects.get(game=victim.id, seq=seq)
    flipped = bytearray(event.hash)
    flipped[rng.randrange(32)] ^= 1 << rng.randrange(8)
    GameEvent.objects.filter(game=victim.id, seq=seq).update(hash=bytes(flipped))
    return Shown(seq, seq)


@kind
def an_event_less(victim: Victim, rng: random.Random) -> Shown:
    """Deleted, and the numbers left as they were."""
    seq = rng.randint(1, victim.length)
    GameEvent.objects.filter(game=victim.id, seq=seq).delete()
    return Shown(seq, seq)


@kind
def an_event_less_and_the_others_moved_up(victim: Victim, rng: random.Random) -> Shown:
    """Deleted, and the gap closed."""
    seq = rng.randint(1, victim.length - 1)
    GameEvent.objects.filter(game=victim.id, seq=seq).delete()
    shift(victim.id, seq, -1)
    return Shown(seq, seq)


def shift(game_id: UUID, after: int, by: int) -> None:
    """Move the events after a number."""
    for step in (1_000_000, by - 1_000_000):
        moved = "UPDATE games_gameevent SET seq = seq + %s WHERE game_id = %s AND seq > %s"
        execute(moved, step, game_id, after)


@kind
def an_event_more(victim: Victim, rng: random.Random) -> Shown:
    """Copied to another place, or to the end."""
    source, after = rng.randint(1, victim.length), rng.randint(1, victim.length)
    if source == after + 1:
        raise Impossible  # its like stood there before
    event = GameEvent.objects.get(game=victim.id, seq=source)
    if after < victim.length:
        shift(victim.id, after, 1)
    GameEvent.objects.create(
        game_id=victim.id,
        seq=after + 1,
        type=event.type,
        schema_version=event.schema_version,
        data=event.data,
        at=event.at,
        hash=event.hash,
    )
    return Shown(after + 1, after + 1)


@kind
def two_events_swapped(victim: Victim, rng: random.Random) -> Shown:
    """Whole rows."""
    one, two = sorted(rng.sample(range(1, victim.length + 1), 2))
    for was, becomes in ((one, 1_000_000), (two, one), (1_000_000, two)):
        GameEvent.objects.filter(game=victim.id, seq=was).update(seq=becomes)
    return Shown(one, one)


@kind
def facts_of_two_events_swapped(victim: Victim, rng: random.Random) -> Shown:
    """And their types, but not their hashes."""
    one, two = sorted(rng.sample(range(1, victim.length + 1), 2))
    first, second = (GameEvent.objects.get(game=victim.id, seq=seq) for seq in (one, two))
    if (first.type, first.data) == (second.type, second.data):
        raise Impossible
    GameEvent.objects.filter(id=first.id).update(type=second.type, data=second.data)
    GameEvent.objects.filter(id=second.id).update(type=first.type, data=first.data)
    return Shown(one, one)


@kind
def an_event_of_another_game(victim: Victim, rng: random.Random) -> Shown:
    """In the place that it had there."""
    seq = rng.randint(1, victim.length)
    stranger = GameEvent.objects.filter(game=victim.other, seq=seq).first()
    if stranger is None:
        raise Impossible
    facts = {"type": stranger.type, "data": stranger.data, "at": stranger.at}
    GameEvent.objects.filter(game=victim.id, seq=seq).update(**facts, hash=stranger.hash)
    return Shown(seq, seq)
