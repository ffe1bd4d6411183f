"""Positions on one line: for tests, bug reports, logs, and whoever has to say where it stands.

What follows is about attack and defence; `position_line_shedding` tells how other games are
written. A line has six fields and then, as ``name=value``, only what differs from the ordinary::

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
from collections.abc import Sequence
from typing import Final, TypeAlias

from games.rules.cards import Card, to_cards
from games.rules.errors import InvalidPosition
from games.rules.line_notes import (
    SEAT,
    SEATS,
    YES,
    Body,
    Note,
    parts_of,
    read_durak,
    read_field,
    read_notes,
    read_number,
    write_notes,
    write_numbers,
)
from games.rules.moves import Move
from games.rules.notation import open_card, read_bout, usual_limit, write_position
from games.rules.position_line_shedding import read_shedding_line, write_shedding_line
from games.rules.positions import Listing
from games.rules.rulesets.schema import BoutRules, Rules
from games.rules.shedding.state import SheddingState
from games.rules.shorthand import read_card, read_cards, read_turn, write_cards, write_turn
from games.rules.state import FINISHED, State

AnyState: TypeAlias = State | SheddingState

_FIELDS: Final = ("hands", "talon", "trump", "table", "phase", "attacker>defender")


def write_line(state: AnyState, listing: Sequence[Sequence[Card]] | None = None) -> str:
    """A position on one line, hands in the order of `listing`: the slots' if they are face out,
    else lowest card first. `read_line` gives the same position.
    """
    body = write_position(state, _listing(state) if listing is None else listing)
    if not isinstance(state, State):
        return write_shedding_line(state, body)
    opponents = (body["attacker"], body["defender"])
    fields = (
        "/".join(write_cards(hand) for hand in body["hands"]),
        write_cards(body["talon"]),
        body["trump"] or "-",
        ",".join(_write_pair(**pair) for pair in body["table"]) or "-",
        body["phase"],
        "-" if None in opponents else f"{body['attacker']}>{body['defender']}",
    )
    return " ".join((*fields, *write_notes(body, NOTES, _ordinary(state, body))))


def read_line(rules: Rules, text: str) -> AnyState:
    """The state that a line describes under these rules.

    Raises InvalidPosition naming the field or note at fault.
    """
    if not isinstance(rules, BoutRules):
        return read_shedding_line(rules, text)
    fields, notes = parts_of(text, _FIELDS)
    body = _read_fields(*fields) | read_notes(notes, NOTES)
    return read_bout(rules, body)[0]


def _listing(state: AnyState) -> Listing:
    if isinstance(state, State) and state.slots:
        return [[card for card in slots if card is not None] for slots in state.slots]
    return [list(to_cards(hand)) for hand in state.hands]


def _write_pair(attack: Card, beat: Card | None) -> str:
    return attack if beat is None else f"{attack}<{beat}"


def _read_fields(
    hands: str, talon: str, trump: str, table: str, phase: str, opponents: str
) -> Body:
    attacker, defender = _opponents(opponents)
    return {
        "hands": [read_field("hands", read_cards, hand) for hand in hands.split("/")],
        "talon": read_field("talon", read_cards, talon),
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
    cards = [read_field("table", read_card, card) for card in text.split("<", 1)]
    return dict(zip(("attack", "beat"), cards, strict=False))


def _ordinary(state: State, body: Body) -> Body:
    """What need not be said here: it follows from the rest, or does not matter by these rules."""
    found: Body = {"turn_up": open_card(state.rules, state.talon)}
    if state.table and state.defender is not None:
        usual = usual_limit(state, state.defender)
        found["limit"] = usual if body["limit"] == usual else None
    if state.rules.trump_exchange == "none":
        found["lowest_trump_owner"] = state.lowest_trump_owner
    seats = range(state.seats)
    if state.table and any(not state.hands[seat] and seat not in state.out for seat in seats):
        found["emptied"] = None
    return found


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


NOTES: Final[dict[str, Note]] = {
    "dealer": Note(str, read_number, 0),
    "discard_count": Note(str, read_number, 0),
    "first_bout": YES,
    "passed": SEATS,
    "out_in_order": SEATS,
    "emptied": SEATS,
    "limit": SEAT,
    "turn_up": Note(write_cards, read_card, None),
    "lowest_trump_owner": SEAT,
    "shown": Note(write_cards, read_cards, []),
    "plays": Note(_write_plays, _read_plays, []),
    "barred": SEATS,
    "durak": Note(write_numbers, read_durak, None),
    "draw": YES,
    "winner": SEAT,
}
