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


def _place_in(places: tuple[tuple[Seat, ...], ...], seat: Seat) -> int:
    shared = next(index for index, group in enumerate(places) if seat in group)
    return 1 + sum(len(better) for better in places[:shared])


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
    hide = _REDACTIONS.get(kind)
    shown = hide(event, viewer) if hide is not None else _public(kind, event)
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


def _public(kind: str, event: Event) -> Json:
    if kind not in _PUBLIC:
        raise LookupError(f"nobody said what {kind} may show")
    data = msgspec.to_builtins(event)
    return {field: data[field] for field in _PUBLIC[kind] if field in data}


def _dealt(event: CardsDealt, viewer: Viewer) -> Json:
    hands = [
        list(hand) if seat == viewer else [HIDDEN] * len(hand)
        for seat, hand in enumerate(event.hands)
    ]
    return {"hands": hands, "talon_count": len(event.talon)}


def _replenished(event: HandReplenished, viewer: Viewer) -> Json:
    own, open_card = event.seat == viewer, event.open_card
    cards = [card if own or card == open_card else HIDDEN for card in event.cards]
    shown = {} if open_card is None else {"open_card": open_card}
    return {"seat": event.seat, "cards": cards, **shown}


_REDACTIONS: Final[dict[str, Callable[[Any, Viewer], Json]]] = {
    "cards_dealt": _dealt,
    "hand_replenished": _replenished,
}
# The fields of each other event, all of which everybody may know.
_PUBLIC: Final[dict[str, tuple[str, ...]]] = {
    "game_created": (
        *("ruleset", "options", "rules", "ruleset_sha256", "seats", "creator", "rated"),
        *("visibility", "auto_start", "match", "game_number", "commitment", "chain_commitment"),
    ),
    "player_joined": ("seat", "player", "kind", "brain", "client_seed"),
    "player_left": ("seat", "player"),
    "game_started": ("dealer",),
    "trump_turned": ("seat", "card", "suit"),
    "cards_redealt": ("reason",),
    "attacker_named": ("seat", "reason", "card"),
    "bout_opened": ("seat", "defender", "cards", "limit"),
    "card_beaten": ("seat", "target", "card"),
    "cards_thrown_in": ("seat", "cards"),
    "bout_transferred": ("seat", "defender", "cards", "limit"),
    "take_declared": ("seat",),
    "seat_passed": ("seat",),
    "bout_taken": ("seat", "cards"),
    "bout_discarded": ("cards",),
    "seat_went_out": ("seat", "place"),
    "seat_resigned": ("seat",),
    "seat_replaced": ("seat", "brain", "reason"),
    "seat_returned": ("seat",),
    "game_finished": ("result",),
}
