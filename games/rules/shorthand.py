"""Moves in a few characters, as game records and position lines write them.

Attack and defence::

    0:6S6D   seat 0 attacks with two sixes     0:exchange  seat 0 exchanges the trump
    1:6S<9S  seat 1 beats one of them          2:call=9S   seat 2 calls a wrong card
    2:+9D    seat 2 throws in                  1:resign    seat 1 gives the game up
    1:>6H    seat 1 transfers                  2:bot       a bot plays seat 2 from here
    1:>(6H)  the same by showing a trump       2:back      its player is back
    1:take   seat 1 takes
    2:pass   seat 2 passes

Shedding games, in which a seat may pass, resign or be played by a bot as well::

    0:QS=H   seat 0 plays the queen of spades and names hearts
    1:AHASAD seat 1 plays three aces
    2:draw   seat 2 draws
    2:suit=H the dealer names a suit for the card that he opened

A ``!`` at the end marks a wrong play: a beat that does not beat, a card whose rank does not fit.
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from games.rules.cards import Card, parse_card
from games.rules.events import Seat
from games.rules.moves import Move

# One template for both directions: how a move is written, and what is read as one.
_BESIDE: Final = (("pass", "pass"), ("resign", "resign"), ("bot", "bot"), ("back", "back"))
_TEMPLATES: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "bout": (
        ("attack", "{cards}"),
        ("beat", "{target}<{card}"),
        ("throw_in", "+{cards}"),
        ("transfer", ">{cards}"),
        ("show_trump", ">({card})"),
        ("take", "take"),
        ("exchange_trump", "exchange"),
        ("call", "call={card}"),
        *_BESIDE,
    ),
    "shedding": (
        ("play", "{cards}"),
        ("play", "{cards}={suit}"),
        ("draw", "draw"),
        ("name_suit", "suit={suit}"),
        *_BESIDE,
    ),
}
_EXAMPLES: Final = {
    "bout": "0:6S 1:6S<9S 2:+9D 1:>6H 1:>(6H) 1:take 2:pass",
    "shedding": "0:6S 1:QS=H 2:draw 2:pass",
}
_FLAGS: Final = re.IGNORECASE | re.ASCII
_ONE: Final = r"(?:10|[2-9TJQKA])[SHDC]"
_CARD: Final = re.compile(_ONE, _FLAGS)
_CARDS: Final = re.compile(f"(?:{_ONE})+", _FLAGS)
_TURN: Final = re.compile(r"([0-9]):(.+?)(!?)")


class Said(NamedTuple):
    """A seat's move, and whether it is marked as wrong."""

    seat: Seat
    move: Move
    wrong: bool = False


def write_cards(cards: Sequence[Card]) -> str:
    """Cards without spaces between them, ``-`` if there are none."""
    return "".join(cards) or "-"


def read_cards(text: str) -> tuple[Card, ...]:
    """Cards that `write_cards` wrote; lower case and ``10D`` are read too. Raises ValueError."""
    if text == "-":
        return ()
    if not _CARDS.fullmatch(text):
        raise ValueError(f"not cards: {text[:20]!r}")
    return tuple(parse_card(card) for card in _CARD.findall(text))


def read_card(text: str) -> Card:
    """A single card. Raises ValueError."""
    cards = read_cards(text)
    if len(cards) != 1:
        raise ValueError(f"wanted: one card, not {text[:20]!r}")
    return cards[0]


def write_turn(seat: Seat, move: Move, wrong: bool = False) -> str:
    """A seat's move in a few characters; cards are named by face, never by slot."""
    cards = "".join(move.cards)
    template = _WRITTEN[move.type, move.suit is not None]
    told = template.format(cards=cards, card=cards, target=move.target, suit=move.suit)
    return f"{seat}:{told}{'!' * wrong}"


def read_turn(text: str, family: str = "bout") -> Said:
    """What `write_turn` wrote in a game of the family. Raises ValueError saying what is wrong."""
    found = _TURN.fullmatch(text)
    if found is None:
        raise ValueError("a move begins with its seat, such as 0:6S")
    for kind, pattern in _PATTERNS[family]:
        if told := pattern.fullmatch(found[2]):
            return Said(int(found[1]), _move(kind, told.groupdict()), bool(found[3]))
    raise ValueError(f"a move is written like {_EXAMPLES[family]}")


def _move(kind: str, parts: dict[str, str]) -> Move:
    cards = parts.get("cards") or parts.get("card")
    target, suit = parts.get("target"), parts.get("suit")
    return Move(
        kind,
        cards=read_cards(cards) if cards else (),
        target=parse_card(target) if target else None,
        suit=suit.upper() if suit else None,
    )


def _pattern(template: str) -> re.Pattern[str]:
    escaped = re.escape(template)
    parts = {"cards": f"(?:{_ONE})+", "card": _ONE, "target": _ONE, "suit": "[SHDC]"}
    for name, wanted in parts.items():
        escaped = escaped.replace(rf"\{{{name}\}}", f"(?P<{name}>{wanted})")
    return re.compile(escaped, _FLAGS)


_PATTERNS: Final = {
    family: tuple((kind, _pattern(template)) for kind, template in templates)
    for family, templates in _TEMPLATES.items()
}
_WRITTEN: Final = {
    (kind, "{suit}" in template): template
    for templates in _TEMPLATES.values()
    for kind, template in templates
}
