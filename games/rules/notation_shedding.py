"""Positions of shedding games as JSON."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from games.rules.cards import Card, to_set
from games.rules.errors import InvalidPosition
from games.rules.events import Penalty, Result, Seat
from games.rules.positions import (
    Cards,
    Count,
    Hands,
    Listing,
    SeatNumber,
    as_seats,
    check_pack,
    check_seats,
    read_body,
    read_cards,
)
from games.rules.rulesets.schema import SheddingRules
from games.rules.shedding.scoring import PLAYED_OUT, result_of
from games.rules.shedding.soundness import unsound
from games.rules.shedding.state import DRAWN, PLAY, SheddingState
from games.rules.state import FINISHED

STALLED = ("stalemate", "max_moves")
# What only games of attack and defence have.
_BOUT_ONLY: dict[str, Any] = {
    "attacker": None,
    "defender": None,
    "table": [],
    "first_bout": False,
    "turn_up": None,
    "lowest_trump_owner": None,
}


class PenaltyBody(msgspec.Struct, forbid_unknown_fields=True):
    """A penalty that the seat to act may pass on."""

    draw: Count
    skip: Annotated[int, msgspec.Meta(ge=0, le=5)]


class SheddingBody(msgspec.Struct, forbid_unknown_fields=True):
    """A position as it is sent. Only the first four fields must be there."""

    hands: Hands
    discard_pile: Cards
    talon: Cards
    to_act: SeatNumber | list[SeatNumber]
    phase: Literal["play", "drawn", "name_suit", "ace_chain", "finished"] | None = None
    dealer: SeatNumber | None = None
    named_suit: Literal["S", "H", "D", "C"] | None = None
    drawn: str | None = None
    pending: PenaltyBody | None = None
    ace_right: SeatNumber | None = None
    first_player: SeatNumber | None = None
    passed: list[SeatNumber] = []
    out_in_order: list[SeatNumber] = []
    last_cards: list[str | None] = []
    discard_count: Count | None = None
    game_over: bool = False
    durak: SeatNumber | None = None
    draw: bool | UnsetType = UNSET
    winner: SeatNumber | None = None
    stalemate: bool = False
    points: dict[str, int] | None = None
    match_losers: list[SeatNumber] | None = None
    trump: None = None
    attacker: None = None
    defender: None = None
    table: Annotated[list[str], msgspec.Meta(max_length=0)] = []
    first_bout: Literal[False] = False
    turn_up: None = None
    lowest_trump_owner: None = None


def read_shedding(rules: SheddingRules, body: object) -> tuple[SheddingState, Listing]:
    """The state that a position describes, and the hands in the order in which they are listed.

    Raises InvalidPosition naming the fields at fault.
    """
    sent = read_body(body, SheddingBody)
    _check_seats(sent)
    hands = [read_cards("hands", hand) for hand in sent.hands]
    talon = read_cards("talon", sent.talon)
    pile = read_cards("discard_pile", sent.discard_pile)
    check_pack(rules.deck_size, [*hands, talon, pile])
    if sent.discard_count not in (None, len(pile)):
        raise InvalidPosition({"discard_count": "not the number of cards in the discard pile"})
    out = _out(rules, sent)
    state = SheddingState(
        rules=rules,
        seats=len(hands),
        hands=tuple(to_set(hand) for hand in hands),
        talon=tuple(talon),
        pile=tuple(pile),
        named_suit=sent.named_suit,
        dealer=sent.dealer or 0,
        first_player=sent.first_player,
        passed=tuple(sent.passed),
        drawn=None if sent.drawn is None else read_cards("drawn", [sent.drawn])[0],
        pending=None if sent.pending is None else Penalty(sent.pending.draw, sent.pending.skip),
        ace_right=sent.ace_right,
        moves=1,
        out=out,
        last_cards=_last_cards(sent, len(out)),
    )
    return (_finished(state, sent) if sent.game_over else _running(state, sent)), hands


def write_shedding(state: SheddingState, listing: Sequence[Sequence[Card]]) -> dict[str, Any]:
    """A position as JSON, hands in the order of `listing`; it can be read again."""
    return {
        "hands": [list(hand) for hand in listing],
        "discard_pile": list(state.pile),
        "talon": list(state.talon),
        "to_act": list(state.to_act),
        "phase": state.phase,
        "dealer": state.dealer,
        "named_suit": state.named_suit,
        "drawn": state.drawn,
        "pending": None if state.pending is None else msgspec.to_builtins(state.pending),
        "ace_right": state.ace_right,
        "first_player": state.first_player,
        "passed": list(state.passed),
        "out_in_order": list(state.out),
        "last_cards": list(state.last_cards),
        "discard_count": len(state.pile),
        **_BOUT_ONLY,
        **_ending(state.result),
    }


def _ending(result: Result | None) -> dict[str, Any]:
    if result is None:
        nothing = dict.fromkeys(("durak", "winner", "points", "match_losers"))
        return {"game_over": False, "draw": False, "stalemate": False, **nothing}
    losers = result.match_losers
    return {
        "game_over": True,
        "durak": result.durak,
        "draw": result.draw,
        "winner": result.winner,
        "stalemate": result.reason in STALLED,
        "points": result.points,
        "match_losers": None if isinstance(losers, UnsetType) else list(losers),
    }


def _check_seats(sent: SheddingBody) -> None:
    lists = {
        "to_act": as_seats(sent.to_act),
        "passed": sent.passed,
        "out_in_order": sent.out_in_order,
        "match_losers": sent.match_losers or [],
    }
    for field in ("dealer", "durak", "winner", "ace_right", "first_player"):
        lists[field] = as_seats(getattr(sent, field))
    check_seats(lists, len(sent.hands))


def _out(rules: SheddingRules, sent: SheddingBody) -> tuple[Seat, ...]:
    """Who has left the game: those named, and whoever else holds no cards."""
    empty = [seat for seat, hand in enumerate(sent.hands) if not hand]
    return (*sent.out_in_order, *(seat for seat in empty if seat not in sent.out_in_order))


def _last_cards(sent: SheddingBody, count: int) -> tuple[Card | None, ...]:
    if len(sent.last_cards) > count:
        raise InvalidPosition({"last_cards": "one for each seat that is out"})
    named = [c if c is None else read_cards("last_cards", [c])[0] for c in sent.last_cards]
    return (*named, *[None] * (count - len(named)))


def _finished(state: SheddingState, sent: SheddingBody) -> SheddingState:
    if sent.phase not in (None, FINISHED):
        raise InvalidPosition({"phase": "the game is over"})
    state = replace(state, phase=FINISHED)
    if wrong := unsound(state, stalled=sent.stalemate):
        raise InvalidPosition(wrong)
    if as_seats(sent.to_act):
        raise InvalidPosition({"to_act": "the game is over"})
    result = result_of(state, "stalemate" if sent.stalemate else PLAYED_OUT)
    state = replace(state, result=result)
    for field, value in _ending(result).items():
        said = getattr(sent, field)
        if said not in (None, UNSET, value):
            raise InvalidPosition({field: f"by the rules it is {value}"})
    return state


def _running(state: SheddingState, sent: SheddingBody) -> SheddingState:
    if sent.phase == FINISHED:
        raise InvalidPosition({"phase": "finished goes with game_over"})
    for field, value in _ending(None).items():
        if getattr(sent, field) not in (None, UNSET, value):
            raise InvalidPosition({field: "the game goes on"})
    phase = sent.phase or (PLAY if sent.drawn is None else DRAWN)
    state = replace(state, phase=phase, to_act=tuple(as_seats(sent.to_act)))
    if wrong := unsound(state):
        raise InvalidPosition(wrong)
    return state
