"""Moves: what a player asks for.

A move names cards by face or, where the owner must not see them, by slot. Its shape is checked
here, before any rule: the fields that belong to its type, cards that can be read.
"""

import re
from typing import Final, Literal, TypeVar

import msgspec

from games.rules.cards import Card, Suit, parse_card
from games.rules.errors import MalformedMove

MAX_CARDS: Final = 52


class Move(msgspec.Struct, frozen=True, omit_defaults=True):
    """One move. `cards` or `slots` are those played, `target` the attack card to be beaten."""

    type: str
    cards: tuple[Card, ...] = ()
    slots: tuple[int, ...] = ()
    target: Card | None = None
    suit: Suit | None = None


class _Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A move as it is sent: single-card moves may also say `card` or `slot`."""

    type: str
    card: str | None = None
    cards: list[str] | None = None
    slot: int | None = None
    slots: list[int] | None = None
    target: str | None = None
    suit: Literal["S", "H", "D", "C"] | None = None


class _Shape(msgspec.Struct, frozen=True):
    """Which fields a move type has: how many cards at the most, a target, a suit."""

    cards: int = 0
    target: bool = False
    suit: bool = False


SHAPES: Final[dict[str, dict[str, _Shape]]] = {
    "bout": {
        "attack": _Shape(cards=MAX_CARDS),
        "beat": _Shape(cards=1, target=True),
        "throw_in": _Shape(cards=MAX_CARDS),
        "transfer": _Shape(cards=MAX_CARDS),
        "show_trump": _Shape(cards=1),
        "take": _Shape(),
        "pass": _Shape(),
        "exchange_trump": _Shape(),
        "call": _Shape(cards=1),
    },
    "shedding": {
        "play": _Shape(cards=MAX_CARDS, suit=True),
        "draw": _Shape(),
        "pass": _Shape(),
        "name_suit": _Shape(suit=True),
    },
}
T = TypeVar("T")
_FIELD = re.compile(r"`\$\.?(\w+)")


def parse_move(family: str, body: object) -> Move:
    """Read a move of a ruleset family from decoded JSON.

    Raises MalformedMove naming each field that is missing, unknown or unreadable. An empty or
    repeated card is not malformed: the rules answer for that.
    """
    try:
        sent = msgspec.convert(body, _Body)
    except msgspec.ValidationError as error:
        raise MalformedMove(_explain(str(error))) from None
    shape = SHAPES[family].get(sent.type)
    if shape is None:
        raise MalformedMove({"type": "must be one of " + ", ".join(SHAPES[family])})
    errors = _misplaced(shape, sent)
    if errors:
        raise MalformedMove(errors)
    return Move(
        type=sent.type,
        cards=_read_cards("cards", _many(sent.card, sent.cards)),
        slots=tuple(_many(sent.slot, sent.slots)),
        target=None if sent.target is None else _read_cards("target", [sent.target])[0],
        suit=sent.suit,
    )


def _explain(message: str) -> dict[str, str]:
    path = _FIELD.search(message) or re.search(r"field `(\w+)`", message)
    return {path[1] if path else "move": message.split(" - at ", maxsplit=1)[0]}


def _misplaced(shape: _Shape, sent: _Body) -> dict[str, str]:
    named = [name for name in ("card", "cards", "slot", "slots") if getattr(sent, name) is not None]
    count = len(_many(sent.card, sent.cards)) + len(_many(sent.slot, sent.slots))
    checks = {
        "cards": _cards_fault(shape, named, count),
        "target": _presence_fault(shape.target, sent.target is not None, required=True),
        "suit": _presence_fault(shape.suit, sent.suit is not None, required=False),
    }
    return {field: fault for field, fault in checks.items() if fault}


def _cards_fault(shape: _Shape, named: list[str], count: int) -> str | None:
    if not shape.cards:
        return "this move has no cards" if named else None
    if len(named) != 1:
        return "give the cards once, by face or by slot"
    return f"at most {shape.cards}" if count > shape.cards else None


def _presence_fault(wanted: bool, given: bool, *, required: bool) -> str | None:
    if given and not wanted:
        return "unknown field for this move"
    return "required" if required and wanted and not given else None


def _many(one: T | None, many: list[T] | None) -> list[T]:
    return [one] if one is not None else many or []


def _read_cards(field: str, texts: list[str]) -> tuple[Card, ...]:
    try:
        return tuple(parse_card(text) for text in texts)
    except ValueError as error:
        raise MalformedMove({field: str(error)}) from None
