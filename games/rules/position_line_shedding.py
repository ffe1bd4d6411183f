"""Positions of shedding games on one line.

A line has five fields and then, as ``name=value``, only what differs from the ordinary::

    8H9D/8C9H TCJC 6CKD play 0
    8H/8C9H/- TCJC 6CQS play 1 named_suit=H out_in_order=2 last_cards=QS

1. hands by seat, parted by ``/``     4. the phase: play, drawn, name_suit, ace_chain, finished
2. the talon as it will be drawn      5. the seat to act
3. the pile, its top card last

``-`` stands for nothing. The notes have the names and meanings of the referee's JSON, to which a
line is equivalent: seats (``dealer`` `ace_right` `first_player`), lists of seats (`passed`
`out_in_order`), a suit (`named_suit`), cards (`drawn`, and the `last_cards` of those who are out),
a penalty as ``draw+skip`` (`pending`), and `stalemate`, which is ``yes``. Points and places follow
from the cards. A line does not tell how many moves were made.
"""

import re
from collections.abc import Sequence
from typing import Any, Final

from games.rules.cards import SUITS, Card
from games.rules.line_notes import (
    SEAT,
    SEATS,
    YES,
    Body,
    Note,
    parts_of,
    read_field,
    read_notes,
    read_number,
    read_numbers,
    write_notes,
    write_numbers,
)
from games.rules.notation_shedding import read_shedding
from games.rules.rulesets.schema import SheddingRules
from games.rules.shedding.state import NAME_SUIT, SheddingState
from games.rules.shorthand import read_card, read_cards, write_cards
from games.rules.state import FINISHED

_FIELDS: Final = ("hands", "talon", "pile", "phase", "to_act")


def write_shedding_line(state: SheddingState, body: Body) -> str:
    """A position, given as JSON too, on one line; `read_shedding_line` gives the same position."""
    fields = (
        "/".join(write_cards(hand) for hand in body["hands"]),
        write_cards(body["talon"]),
        write_cards(body["discard_pile"]),
        body["phase"],
        write_numbers(body["to_act"]),
    )
    return " ".join((*fields, *write_notes(body, NOTES, _ordinary(state, body))))


def read_shedding_line(rules: SheddingRules, text: str) -> SheddingState:
    """The state that a line describes. Raises InvalidPosition naming what is at fault."""
    (hands, talon, pile, phase, to_act), notes = parts_of(text, _FIELDS)
    body: dict[str, Any] = {
        "hands": [read_field("hands", read_cards, hand) for hand in hands.split("/")],
        "talon": read_field("talon", read_cards, talon),
        "discard_pile": read_field("discard_pile", read_cards, pile),
        "phase": phase,
        "to_act": read_field("to_act", read_numbers, to_act),
        "game_over": phase == FINISHED,
    }
    return read_shedding(rules, body | read_notes(notes, NOTES))[0]


def _ordinary(state: SheddingState, body: Body) -> Body:
    """What need not be said: who began, once he has; last cards that nobody knows."""
    found: Body = {"last_cards": [None] * len(state.out)}
    if state.phase != NAME_SUIT:
        found["first_player"] = body["first_player"]
    return found


def _write_last(cards: Sequence[Card | None]) -> str:
    return ",".join(card or "-" for card in cards)


def _read_last(text: str) -> list[Card | None]:
    return [None if card == "-" else read_card(card) for card in text.split(",")]


def _read_suit(text: str) -> str:
    if text.upper() not in tuple(SUITS):
        raise ValueError(f"not a suit: {text[:20]!r}")
    return text.upper()


def _write_penalty(pending: Body) -> str:
    return f"{pending['draw']}+{pending['skip']}"


def _read_penalty(text: str) -> Body:
    found = re.fullmatch(r"([0-9]{1,2})\+([0-9])", text)
    if found is None:
        raise ValueError(f"wanted: draw+skip, not {text[:20]!r}")
    return {"draw": int(found[1]), "skip": int(found[2])}


NOTES: Final[dict[str, Note]] = {
    "dealer": Note(str, read_number, 0),
    "named_suit": Note(str, _read_suit, None),
    "drawn": Note(str, read_card, None),
    "pending": Note(_write_penalty, _read_penalty, None),
    "ace_right": SEAT,
    "first_player": SEAT,
    "passed": SEATS,
    "out_in_order": SEATS,
    "last_cards": Note(_write_last, _read_last, []),
    "stalemate": YES,
}
