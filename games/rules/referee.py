"""The referee: plays moves from any position, without a game and without a memory."""

from collections.abc import Sequence
from typing import Any

import msgspec

from games.rules import engine
from games.rules.cards import Card
from games.rules.errors import MalformedMove, Refusal
from games.rules.events import (
    BoutTaken,
    Event,
    HandReplenished,
    Seat,
)
from games.rules.moves import Move
from games.rules.notation import Listing, read_position, write_position
from games.rules.rulesets.schema import BoutRules
from games.rules.state import State
from games.rules.views import next_for, reveal


class Turn(msgspec.Struct, frozen=True):
    """A move and the seat that makes it."""

    seat: Seat
    move: Move


class Ruling(msgspec.Struct, frozen=True):
    """What became of the moves; `refused` is the index and the code of the first refused one."""

    position: dict[str, Any]
    legal_moves: dict[str, tuple[engine.Pattern, ...]]
    events: list[dict[str, Any]]
    refused: tuple[int, str] | None


def rule(rules: BoutRules, position: object, turns: Sequence[Turn]) -> Ruling:
    """Play the moves in order; stop before the first refused one.

    Raises InvalidPosition for a position that no game could be in, MalformedMove for a move whose
    shape does not fit the ruleset.
    """
    state, listing = read_position(rules, position)
    for index, turn in enumerate(turns):
        if turn.seat >= state.seats:
            raise MalformedMove({f"moves[{index}].seat": f"there are {state.seats} hands"})
    told: list[dict[str, Any]] = []
    refused = None
    for index, turn in enumerate(turns):
        try:
            events = engine.decide(state, turn.seat, turn.move)
        except Refusal as refusal:
            refused = (index, refusal.code)
            break
        for event in events:
            state = engine.evolve(state, event)
            listing = _relist(listing, event)
            told.append(_tell(state, event))
    return Ruling(write_position(state, listing), _legal_moves(state), told, refused)


def _legal_moves(state: State) -> dict[str, tuple[engine.Pattern, ...]]:
    return {str(seat): engine.legal_moves(state, seat) for seat in state.to_act}


def _tell(state: State, event: Event) -> dict[str, Any]:
    told = reveal(event)
    if event.next is not None:
        viewer = event.next.to_act[0] if event.next.to_act else None
        told["next"] = next_for(state, event.next, viewer)
    return told


def _relist(listing: Listing, event: Event) -> Listing:
    """Hands as listed: what is played leaves its place, what comes goes to the end."""
    gained = event.cards if isinstance(event, BoutTaken | HandReplenished) else ()
    left = () if gained else _played(event)
    seat = getattr(event, "seat", None)
    return [
        [*(card for card in hand if card not in left), *gained] if holder == seat else hand
        for holder, hand in enumerate(listing)
    ]


def _played(event: Event) -> tuple[Card, ...]:
    card = getattr(event, "card", None)
    return getattr(event, "cards", ()) if card is None else (card,)
