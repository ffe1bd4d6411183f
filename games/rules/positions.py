"""What positions of both families are written with: seats, counts, cards and their faults."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Final, TypeVar

import msgspec

from games.rules.cards import Card, pack, parse_card
from games.rules.errors import InvalidPosition
from games.rules.events import Seat
from games.rules.rulesets.schema import MAX_PLAYERS

SeatNumber = Annotated[int, msgspec.Meta(ge=0, lt=MAX_PLAYERS)]
Count = Annotated[int, msgspec.Meta(ge=0, le=52)]
Cards = Annotated[list[str], msgspec.Meta(max_length=52)]
Hands = Annotated[list[Cards], msgspec.Meta(min_length=2, max_length=MAX_PLAYERS)]
Listing = list[list[Card]]
Body = TypeVar("Body")
_PATH: Final = re.compile(r"`\$\.?([^`]*)`")
_FIELD: Final = re.compile(r"field `(\w+)`")


def read_body(body: object, shape: type[Body]) -> Body:
    """The position in a shape. Raises InvalidPosition naming the field that does not fit it."""
    try:
        return msgspec.convert(body, shape)
    except msgspec.ValidationError as error:
        reason, *_ = str(error).split(" - at ")
        places = [found[1] for found in (_PATH.search(str(error)), _FIELD.search(reason)) if found]
        raise InvalidPosition({".".join(filter(None, places)) or "position": reason}) from None


def check_seats(named: Mapping[str, Sequence[Seat]], count: int) -> None:
    """Refuse fields that name a seat twice, or one that has no hand."""
    for field, seats in named.items():
        if any(seat >= count for seat in seats):
            raise InvalidPosition({field: f"there are {count} hands"})
        if len(set(seats)) != len(seats):
            raise InvalidPosition({field: "a seat is named twice"})


def as_seats(named: int | list[int] | None) -> list[Seat]:
    """A seat, several or none, as a list."""
    if named is None:
        return []
    return [named] if isinstance(named, int) else named


def read_cards(field: str, texts: Sequence[str]) -> list[Card]:
    """The cards of a field. Raises InvalidPosition for what is not a card."""
    try:
        return [parse_card(text) for text in texts]
    except ValueError as error:
        raise InvalidPosition({field: str(error)}) from None


def check_pack(size: int, places: Sequence[Sequence[Card]]) -> None:
    """Refuse cards that are in two places, or that the pack lacks."""
    cards = [card for place in places for card in place]
    twice = sorted(card for card, times in Counter(cards).items() if times > 1)
    if twice:
        raise InvalidPosition({"hands": "in two places at once: " + " ".join(twice)})
    foreign = set(cards) - set(pack(size))
    if foreign:
        raise InvalidPosition({"hands": "not in this pack: " + " ".join(sorted(foreign))})
