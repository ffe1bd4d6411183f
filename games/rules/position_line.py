"""Positions on one line: for tests, bug reports, logs, and whoever has to say where it stands.

A line has six fields and then, as ``name=value``, only what differs from the ordinary::

    6S9D/6C8S/7D8D9H TCJH H - attack 0>1
    9D/8S/7D8D9H TCJH H 6S<TS,6C defend 0>1 dealer=2 first_bout=yes

1. hands by seat, parted by ``/``     4. the table: attack cards, each with what beat it
2. the talon as it will be drawn      5. the phase: attack, defend, throw_in, take, finished
3. the trump suit                     6. attacker > defender

``-`` stands for nothing. The notes have the names and meanings of the referee's JSON, to which a
line is equivalent: seats (``dealer`` `winner` `lowest_trump_owner`), lists of seats (`passed`
`out_in_order` `emptied` `barred` `durak`), a count (`discard_count`), cards (`turn_up` `shown`),
facts that are ``yes`` (`first_bout` `draw`), and the `plays` that may be called, in the shorthand
of moves. A line does not tell what is in the discard pile, who was shown which card, how often a
position came up and how many moves were made; nor who got the lowest trump where none is exchanged.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from games.rules.cards import Card, to_cards
from games.rules.errors import InvalidPosition
from games.rules.moves import Move
from games.rules.notation import open_card, read_bout, write_position
from games.rules.positions import Listing
from games.rules.rulesets.schema import BoutRules
from games.rules.shorthand import read_card, read_cards, read_turn, write_cards, write_turn
from games.rules.state import FINISHED, State

Body = dict[str, Any]
MAX_LENGTH: Final = 2000
_FIELDS: Final = ("hands", "talon", "trump", "table", "phase", "attacker>defender")


def write_line(state: State, listing: Sequence[Sequence[Card]] | None = None) -> str:
    """A position on one line, hands in the order of `listing`: the slots' if they are face out,
    else lowest card first. `read_line` gives the same position.
    """
    body = write_position(state, _listing(state) if listing is None else listing)
    fields = (
        "/".join(write_cards(hand) for hand in body["hands"]),
        write_cards(body["talon"]),
        body["trump"] or "-",
        ",".join(_write_pair(**pair) for pair in body["table"]) or "-",
        body["phase"],
        "-" if body["attacker"] is None else f"{body['attacker']}>{body['defender']}",
    )
    return " ".join((*fields, *_write_notes(state, body)))


def read_line(rules: BoutRules, text: str) -> State:
    """The state that a line describes under these rules.

    Raises InvalidPosition naming the field or note at fault.
    """
    parts = text[: MAX_LENGTH + 1].split()
    if len(text) > MAX_LENGTH or len(parts) < len(_FIELDS):
        wanted = " ".join(_FIELDS)
        raise InvalidPosition({"line": f"wanted: {wanted}, {MAX_LENGTH} characters at the most"})
    fields, notes = parts[: len(_FIELDS)], parts[len(_FIELDS) :]
    body = _read_fields(*fields) | _read_notes(notes)
    return read_bout(rules, body)[0]


def _listing(state: State) -> Listing:
    if state.slots:
        return [[card for card in slots if card is not None] for slots in state.slots]
    return [list(to_cards(hand)) for hand in state.hands]


def _write_pair(attack: Card, beat: Card | None) -> str:
    return attack if beat is None else f"{attack}<{beat}"


def _read_fields(
    hands: str, talon: str, trump: str, table: str, phase: str, opponents: str
) -> Body:
    attacker, defender = _opponents(opponents)
    return {
        "hands": [_read("hands", read_cards, hand) for hand in hands.split("/")],
        "talon": _read("talon", read_cards, talon),
        "trump": None if trump == "-" else trump.upper(),
        "table": [] if table == "-" else [_read_pair(pair) for pair in table.split(",")],
        "phase": phase,
        "attacker": attacker,
        "defender": defender,
        "game_over": phase == FINISHED,
    }


def _opponents(text: str) -> tuple[int | None, int | None]:
    if text == "-":
        return None, None
    found = re.fullmatch(r"([0-9])>([0-9])", text)
    if found is None:
        raise InvalidPosition({"attacker": f"wanted: attacker>defender, not {text[:20]!r}"})
    return int(found[1]), int(found[2])


def _read_pair(text: str) -> dict[str, Card]:
    cards = [_read("table", read_card, card) for card in text.split("<", 1)]
    return dict(zip(("attack", "beat"), cards, strict=False))


def _read(field: str, reader: Callable[[str], Any], text: str) -> Any:
    try:
        return reader(text)
    except ValueError as error:
        raise InvalidPosition({field: str(error)}) from None


def _write_notes(state: State, body: Body) -> list[str]:
    ordinary = {name: note.ordinary for name, note in NOTES.items()} | _ordinary(state)
    return [
        f"{name}={note.write(body[name])}"
        for name, note in NOTES.items()
        if body[name] != ordinary[name]
    ]


def _ordinary(state: State) -> Body:
    """What need not be said here: it follows from the rest, or does not matter by these rules."""
    found: Body = {"turn_up": open_card(state.rules, state.talon)}
    if state.rules.trump_exchange == "none":
        found["lowest_trump_owner"] = state.lowest_trump_owner
    seats = range(state.seats)
    if state.table and any(not state.hands[seat] and seat not in state.out for seat in seats):
        found["emptied"] = None
    return found


def _read_notes(notes: Sequence[str]) -> Body:
    read: Body = {}
    for text in notes:
        name, _, value = text.partition("=")
        if name not in NOTES:
            known = " ".join(NOTES)
            raise InvalidPosition({name[:40]: f"no such note; there are {known}"})
        if name in read:
            raise InvalidPosition({name: "is given twice"})
        read[name] = _read(name, NOTES[name].read, value)
    return read


def _read_number(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,2}", text):
        raise ValueError(f"not a number: {text[:20]!r}")
    return int(text)


def _write_numbers(numbers: Sequence[int] | int) -> str:
    listed = [numbers] if isinstance(numbers, int) else numbers
    return ",".join(map(str, listed)) or "-"


def _read_numbers(text: str) -> list[int]:
    return [] if text == "-" else [_read_number(number) for number in text.split(",")]


def _read_durak(text: str) -> list[int] | int:
    seats = _read_numbers(text)
    return seats[0] if len(seats) == 1 else seats


def _read_yes(text: str) -> bool:
    if text != "yes":
        raise ValueError("wanted: yes, or no such note at all")
    return True


def _write_plays(plays: Sequence[Body]) -> str:
    return ",".join(_write_play(**play) for play in plays)


def _write_play(seat: int, card: Card, target: Card | None, wrong: bool) -> str:
    kind = "throw_in" if target is None else "beat"
    return write_turn(seat, Move(kind, cards=(card,), target=target), wrong)


def _read_plays(text: str) -> list[Body]:
    return [_read_play(play) for play in text.split(",")]


def _read_play(text: str) -> Body:
    seat, move, wrong = read_turn(text)
    if move.type not in ("beat", "throw_in") or len(move.cards) != 1:
        raise ValueError("wanted: beats and throw-ins of one card")
    return {"seat": seat, "card": move.cards[0], "target": move.target, "wrong": wrong}


class _Note(NamedTuple):
    """How a note is written and read, and the value that is left out."""

    write: Callable[[Any], str]
    read: Callable[[str], Any]
    ordinary: Any


_SEAT: Final = _Note(str, _read_number, None)
_SEATS: Final = _Note(_write_numbers, _read_numbers, [])
_YES: Final = _Note(lambda _: "yes", _read_yes, False)
NOTES: Final[dict[str, _Note]] = {
    "dealer": _Note(str, _read_number, 0),
    "discard_count": _Note(str, _read_number, 0),
    "first_bout": _YES,
    "passed": _SEATS,
    "out_in_order": _SEATS,
    "emptied": _SEATS,
    "turn_up": _Note(write_cards, read_card, None),
    "lowest_trump_owner": _SEAT,
    "shown": _Note(write_cards, read_cards, []),
    "plays": _Note(_write_plays, _read_plays, []),
    "barred": _SEATS,
    "durak": _Note(_write_numbers, _read_durak, None),
    "draw": _YES,
    "winner": _SEAT,
}
