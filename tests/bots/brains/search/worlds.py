"""Tables halfway through a game, and other worlds that a seat cannot tell from the real one."""

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from bots.brains import brain_get
from bots.table import Table
from games.rules.cards import Card, pack, to_cards
from games.rules.events import Event
from games.rules.rulesets.registry import ruleset


def halfway(name: str, seats: int, seed: int, *, most: int = 40) -> Table:
    """A table where some moves were made, and where it is somebody's turn."""
    rng = random.Random(seed)
    table = Table(ruleset(name, players=seats), ("any",) * seats, str(seed))
    go_on(table, rng, rng.randrange(most))
    return table


def go_on(table: Table, rng: random.Random, moves: int) -> None:
    """Make so many moves, or all but the one that ends the game."""
    for _ in range(moves):
        before = table.events, table.game
        step(table, rng)
        if table.result is not None:
            table.events, table.game = before
            break


def step(table: Table, rng: random.Random) -> None:
    """A move of greedy or of random, whoever is to act."""
    seat = table.to_act[0]
    mover = brain_get(rng.choice(("greedy", "random"))).brain
    table.play(seat, mover.choose(table.view(seat), (), rng, 1))


def seen_by(table: Table, seat: int) -> set[Card]:
    """Every card whose face the seat was ever shown, read off what it was sent."""
    texts = _texts([table.history(seat), table.view(seat)])
    return {text for text in texts if text in set(pack(52))}


def other_world(table: Table, seat: int, rng: random.Random) -> Table:
    """The same table with all cards that the seat never saw exchanged among themselves."""
    cards = pack(table.ruleset.rules.deck_size)
    unseen = [card for card in cards if card not in seen_by(table, seat)]
    mixed = rng.sample(unseen, len(unseen))
    swapped = dict(zip(unseen, mixed, strict=True))
    return table.retold(tuple(_renamed(event, swapped) for event in table.events))


def drawn_cards(table: Table, seat: int) -> list[Card]:
    """The cards that a seat drew in the game, in order."""
    found: list[Card] = []
    for event in table.events:
        if type(event).__name__ in ("HandReplenished", "CardsDrawn") and event.seat == seat:
            found += event.cards
    return found


def hand_of(table: Table, seat: int) -> set[Card]:
    """What a seat really holds."""
    return set(to_cards(table.game.state.hands[seat]))


def _renamed(event: Event, swapped: dict[Card, Card]) -> Event:
    data = msgspec.to_builtins(event)
    return msgspec.convert(_exchanged(data, swapped), type(event))


def _exchanged(value: Any, swapped: dict[Card, Card]) -> Any:
    if isinstance(value, str):
        return swapped.get(value, value)
    if isinstance(value, dict):
        return {name: _exchanged(part, swapped) for name, part in value.items()}
    if isinstance(value, Sequence):
        return [_exchanged(part, swapped) for part in value]
    return value


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _all(value.values())
    elif isinstance(value, list | tuple):
        yield from _all(value)


def _all(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        yield from _texts(value)
