"""The referee: plays moves from any position, without a game and without a memory."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from games.rules import engine
from games.rules.cards import Card, to_cards
from games.rules.engine import AnyState
from games.rules.errors import MalformedMove, Refusal
from games.rules.events import Event, Seat
from games.rules.moves import Move
from games.rules.notation import read_position, write_position
from games.rules.positions import Listing
from games.rules.rulesets.schema import Rules
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


def rule(rules: Rules, position: object, turns: Sequence[Turn]) -> Ruling:
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
        except MalformedMove as error:
            place = f"moves[{index}].move."
            faults = {f"{place}{field}": reason for field, reason in error.errors.items()}
            raise MalformedMove(faults) from None
        for event in events:
            state = engine.evolve(state, event)
            listing = _relist(listing, state, event)
            told.append(_tell(state, event))
        state = _slots_as_listed(state, listing)
    return Ruling(write_position(state, listing), _legal_moves(state), told, refused)


def _legal_moves(state: AnyState) -> dict[str, tuple[engine.Pattern, ...]]:
    return {str(seat): engine.legal_moves(state, seat) for seat in state.to_act}


def _tell(state: AnyState, event: Event) -> dict[str, Any]:
    told = reveal(event)
    if event.next is not None:
        viewer = event.next.to_act[0] if event.next.to_act else None
        told["next"] = next_for(state, event.next, viewer)
    return told


def _relist(listing: Listing, state: AnyState, event: Event) -> Listing:
    """Hands as listed: what is played leaves its place, what comes goes to the end."""
    told = getattr(event, "cards", ())
    return [
        _in_order(before, told, to_cards(hand))
        for before, hand in zip(listing, state.hands, strict=True)
    ]


def _in_order(before: Sequence[Card], told: Sequence[Card], now: Sequence[Card]) -> list[Card]:
    listed = dict.fromkeys((*before, *told, *now))
    return [card for card in listed if card in now]


def _slots_as_listed(state: AnyState, listing: Listing) -> AnyState:
    if not isinstance(state, State) or not state.slots:
        return state
    slots = tuple(tuple(hand) for hand in listing)
    return replace(state, slots=slots, slot_base=(0,) * state.seats)
