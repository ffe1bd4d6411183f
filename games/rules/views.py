"""The eyes: what a viewer may see of a game and of its events. Nothing else shows cards.

A viewer is a seat, or None for somebody who only watches. Both functions build what they return
field by field from what is allowed, and refuse what they do not know.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from games.rules import engine
from games.rules.cards import HIDDEN, CardSet, to_cards
from games.rules.events import (
    EVENTS,
    TYPE_OF,
    CardsDealt,
    Event,
    HandReplenished,
    Next,
    Seat,
)
from games.rules.game import Game
from games.rules.state import FINISHED, State

Viewer = Seat | None
Json = dict[str, Any]


class Sitter(NamedTuple):
    """The public face of whoever owns a seat."""

    name: str
    kind: str


def view_for(game: Game, viewer: Viewer, sitters: Sequence[Sitter | None]) -> Json:
    """The view of a game: everything the viewer may know, nothing else (W01, W04).

    `sitters` are the names of the seats' owners. Ids and times are the caller's to add.
    """
    view = {
        "version": game.version,
        "status": game.status,
        "ruleset": game.ruleset,
        "options": game.options,
        "ruleset_sha256": game.ruleset_sha256,
        "match": {"id": game.match, "game_number": game.game_number},
        "rated": game.rated,
        "visibility": game.visibility,
        "you": _you(game, viewer),
        "seats": [_seat(game, seat, sitters[seat]) for seat in range(len(game.chairs))],
        "fairness": {"commitment": game.commitment},
        "result": None if game.result is None else msgspec.to_builtins(game.result),
    }
    return view | _cards(game.state)


def _you(game: Game, viewer: Viewer) -> Json | None:
    if viewer is None:
        return None
    hand = to_cards(_hand(game.state, viewer))
    return {"seat": viewer, "hand": hand, "legal_moves": _legal_moves(game.state, viewer)}


def _hand(state: State | None, seat: Seat) -> CardSet:
    """A hand; empty before the deal, also between the start of a game and its deal."""
    return state.hands[seat] if state is not None and state.hands else 0


def _legal_moves(state: State | None, viewer: Viewer) -> tuple[engine.Pattern, ...]:
    if state is None or viewer is None:
        return ()
    return engine.legal_moves(state, viewer)


def _seat(game: Game, seat: Seat, sitter: Sitter | None) -> Json:
    state, chair = game.state, game.chairs[seat]
    return {
        "seat": seat,
        "player": sitter.name if sitter else None,
        "kind": sitter.kind if sitter else None,
        "bot": chair.brain,
        "hand_count": _hand(state, seat).bit_count(),
        "status": _seat_status(game, seat),
        "place": _place(game, seat),
    }


def _seat_status(game: Game, seat: Seat) -> str:
    if game.chairs[seat].player is None:
        return "open"
    if game.state is None:
        return "seated"
    if game.chairs[seat].resigned:
        return "resigned"
    return "out" if seat in game.state.out else "playing"


def _place(game: Game, seat: Seat) -> int | None:
    if game.result is not None:
        return _place_in(game.result.places, seat)
    return None if game.state is None else dict(game.state.places).get(seat)


def _place_in(places: tuple[tuple[Seat, ...], ...], seat: Seat) -> int | None:
    better = 0
    for group in places:
        if seat in group:
            return better + 1
        better += len(group)
    return None


def _cards(state: State | None) -> Json:
    if state is None:
        return dict.fromkeys(_CARD_FIELDS) | {"to_act": [], "table": [], "deadline": None}
    return {
        "phase": state.phase,
        "to_act": state.to_act,
        "deadline": None,
        "dealer": state.dealer,
        "trump": state.trump,
        "turn_up": state.turn_up,
        "talon_count": len(state.talon),
        "discard_count": state.discard_count,
        "table": [{"attack": pair.attack, "beat": pair.beat} for pair in state.table],
        "attacker": state.attacker,
        "defender": state.defender,
        "passed": state.passed,
    }


_CARD_FIELDS: Final = (
    "phase",
    "dealer",
    "trump",
    "turn_up",
    "talon_count",
    "discard_count",
    "attacker",
    "defender",
    "passed",
)


def redact(event: Event, viewer: Viewer) -> Json:
    """What an event tells the viewer: ``type``, ``seat`` and ``data``, unseen cards as ``??``."""
    kind = TYPE_OF[type(event)]
    data = msgspec.to_builtins(event)
    data.pop("next", None)
    hide = _REDACTIONS.get(kind)
    shown = hide(event, viewer, data) if hide is not None else _public(kind, data)
    return {"type": kind, "seat": shown.pop("seat", None), "data": shown}


def reveal(event: Event) -> Json:
    """An event without redaction, for logs of finished games and the referee's own positions."""
    data = msgspec.to_builtins(event)
    data.pop("next", None)
    return {"type": TYPE_OF[type(event)], "seat": data.pop("seat", None), "data": data}


def next_for(state: State | None, follows: Next, viewer: Viewer) -> Json:
    """What follows a move, with the viewer's own legal moves at that version."""
    return {
        "phase": follows.phase,
        "to_act": follows.to_act,
        "attacker": follows.attacker,
        "defender": follows.defender,
        "deadline": None,
        "legal_moves": _legal_moves(state, viewer) if follows.phase != FINISHED else (),
    }


def _public(kind: str, data: Json) -> Json:
    if kind not in _PUBLIC:
        raise LookupError(f"nobody said what {kind} may show")
    return data


def _dealt(event: CardsDealt, viewer: Viewer, data: Json) -> Json:
    hands = [
        list(hand) if seat == viewer else [HIDDEN] * len(hand)
        for seat, hand in enumerate(event.hands)
    ]
    return {"hands": hands, "talon_count": len(event.talon)}


def _replenished(event: HandReplenished, viewer: Viewer, data: Json) -> Json:
    if event.seat == viewer:
        return data
    cards = [card if card == event.open_card else HIDDEN for card in event.cards]
    return data | {"cards": cards}


_REDACTIONS: Final[dict[str, Callable[[Any, Viewer, Json], Json]]] = {
    "cards_dealt": _dealt,
    "hand_replenished": _replenished,
}
_PUBLIC: Final = frozenset(EVENTS) - set(_REDACTIONS)
