"""Records as text: read."""

import re
from collections.abc import Callable
from typing import Annotated, Any, Final, NamedTuple

import msgspec

from games.rules.cards import SUITS, Card
from games.rules.errors import InvalidRecord
from games.rules.events import Result
from games.rules.record.game import Deal, Lines, Record, Turn
from games.rules.record.writing import first_tag
from games.rules.rulesets.registry import family_of_ruleset
from games.rules.shorthand import read_card, read_cards, read_turn

_TAG: Final = re.compile(r"\[(\w+) (.*)\]")
_NUMBER: Final = re.compile(r"([0-9]{1,6})\.")


def read_record(text: str) -> Record:
    """The record that a text describes; whether the rules allow it is for `check_record`.

    Raises InvalidRecord naming the line and the tag or move that cannot be read.
    """
    reading = _Reading()
    for line in text.split("\n"):
        reading.add(line.strip())
    return reading.record()


class _Reading:
    """What has been read so far: tags by field of the record, deal by deal, and turns."""

    def __init__(self) -> None:
        self._line = 0
        self._fields: dict[str, Any] = {}
        self._deals: list[dict[str, Any]] = []
        self._turns: list[Turn] = []
        self._tag_lines: dict[str, int] = {}
        self._turn_lines: list[int] = []
        self._bout = 0

    def add(self, line: str) -> None:
        """Read the next line."""
        self._line += 1
        if line.startswith("["):
            self._add_tag(line)
        elif not line.startswith(";"):
            for token in line.split():
                self._add_token(token)

    def record(self) -> Record:
        """Everything together."""
        for name, tag in TAGS.items():
            where = self._deals[-1] if self._deals and tag.of_deal else self._fields
            if tag.required and tag.field not in where:
                raise InvalidRecord(0, name, "this tag is missing")
        self._fields.setdefault("options", {})
        if "attacker" not in self._fields:
            name = first_tag(self._fields["ruleset"])
            raise InvalidRecord(0, name, "this tag is missing")
        return Record(
            deals=tuple(Deal(**deal) for deal in self._deals),
            turns=tuple(self._turns),
            lines=Lines(self._tag_lines, tuple(self._turn_lines)),
            **self._fields,
        )

    def _add_tag(self, line: str) -> None:
        found = _TAG.fullmatch(line)
        name = found[1] if found else line[:20]
        if found is None or name not in TAGS:
            raise InvalidRecord(self._line, name, "no such tag; there are " + " ".join(TAGS))
        if name == "Hands":
            self._begin_deal()
        tag = TAGS[name]
        if tag.of_deal and not self._deals:
            raise InvalidRecord(self._line, name, "Hands come first")
        fields = self._deals[-1] if self._deals and tag.of_deal else self._fields
        if tag.field in fields:
            raise InvalidRecord(self._line, name, "is given twice")
        self._tag_lines[name] = self._line
        fields[tag.field] = self._value(name, tag, found[2])

    def _begin_deal(self) -> None:
        for name in ("Talon", "Redealt") if self._deals else ():
            if TAGS[name].field not in self._deals[-1]:
                raise InvalidRecord(self._line, "Hands", f"the deal before has no {name}")
        self._deals.append({})

    def _value(self, name: str, tag: "_Tag", text: str) -> Any:
        try:
            value = msgspec.json.decode(text, type=tag.type)
            return tag.read(value) if tag.read is not None else value
        except (msgspec.MsgspecError, RecursionError, ValueError) as error:
            raise InvalidRecord(self._line, name, str(error)) from None

    def _add_token(self, token: str) -> None:
        if number := _NUMBER.fullmatch(token):
            self._bout = int(number[1])
            return
        if not self._bout:
            raise InvalidRecord(self._line, token[:20], "moves follow the number of a bout: 1.")
        try:
            said = read_turn(token, self._family())
        except ValueError as error:
            raise InvalidRecord(self._line, token[:20], str(error)) from None
        self._turns.append(Turn(self._bout, *said))
        self._turn_lines.append(self._line)

    def _family(self) -> str:
        return family_of_ruleset(self._fields.get("ruleset", "")) or "bout"


def _read_hands(text: str) -> tuple[tuple[Card, ...], ...]:
    return tuple(read_cards(hand) for hand in text.split("/"))


def _read_talons(texts: list[str]) -> tuple[tuple[Card, ...], ...]:
    return tuple(read_cards(text) for text in texts)


def _read_trump(text: str) -> str:
    return text if text in tuple(SUITS) else read_card(text)


class _Tag(NamedTuple):
    """Which field a tag fills, the type of its JSON, and how that is read further."""

    field: str
    type: Any
    read: Callable[[Any], Any] | None = None
    required: bool = True
    of_deal: bool = False


TAGS: Final = {
    "Ruleset": _Tag("ruleset", str),
    "Options": _Tag("options", dict[str, object], required=False),
    "Players": _Tag("players", tuple[str, ...]),
    "Game": _Tag("game_number", Annotated[int, msgspec.Meta(ge=1)], required=False),
    "Dealer": _Tag("dealer", int),
    "Hands": _Tag("hands", str, _read_hands, of_deal=True),
    "Talon": _Tag("talon", str, read_cards, of_deal=True),
    "Trump": _Tag("trump", str, _read_trump, required=False, of_deal=True),
    "Drawn": _Tag("drawn", str, read_cards, required=False, of_deal=True),
    "Redealt": _Tag("void", str, required=False, of_deal=True),
    "Attacker": _Tag("attacker", int, required=False),
    "First": _Tag("attacker", int, required=False),
    "Because": _Tag("because", str),
    "Recycled": _Tag("recycled", list[str], _read_talons, required=False),
    "Result": _Tag("result", Result | None),
}
