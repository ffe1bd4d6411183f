"""The eyes: what a viewer may see of a game and of its events. Nothing else shows cards.

A viewer is a seat, or None for somebody who only watches. Both functions build what they return
field by field from what is allowed, and refuse what they do not know.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from games.rules import engine
from games.rules.bout.held import slot_numbers
from games.rules.cards import HIDDEN, CardSet, to_cards
from games.rules.engine import AnyState
from games.rules.events import (
    TYPE_OF,
    BoutTaken,
    CardsDealt,
    CardsDrawn,
    DiscardRecycled,
    Event,
    HandReplenished,
    Next,
    Seat,
    Slots,
)
from games.rules.game import Game
from games.rules.shedding.state import SheddingState
from games.rules.state import FINISHED, State

Viewer = Seat | None
Json = dict[str, Any]


class Sitter(NamedTuple):
    """The public face of whoever owns a seat."""

    name: str
    kind: str


def view_for(
    game: Game, viewer: Viewer, sitters: Sequence[Sitter | None], *, as_brain: bool = False
) -> Json:
    """The view of a game: everything the viewer may know, nothing else (W01, W04).

    `sitters` are the names of the seats' owners. Ids and times are the caller's to add. The owner
    of a seat that a brain plays has no legal moves; `as_brain` shows what the brain sees.
    """
    view = {
        "version": game.version,
        "status": game.status,
        "ruleset": game.ruleset,
        "options": game.options,
        "ruleset_sha256": game.ruleset_sha256,
        "match": _match(game),
        "rated": game.rated,
        "visibility": game.visibility,
        "you": _you(game, viewer, as_brain=as_brain),
        "seats": [_seat(game, seat, sitters[seat], viewer) for seat in range(len(game.chairs))],
        "fairness": {"commitment": game.commitment},
        "result": None if game.result is None else msgspec.to_builtins(game.result),
        "clock": _clock(game),
    }
    if game.status == "open" and game.reserved_until is not None:
        view["reserved_until"] = game.reserved_until
    if game.spectator_delay:
        view["spectator_delay"] = game.spectator_delay
    if game.voided is not None:
        view["voided"] = game.voided
    return view | _cards(game)


def _match(game: Game) -> Json:
    return {
        "id": game.match,
        "game_number": game.game_number,
        "series_length": game.series_length,
        "match_target": game.match_target,
    }


def _clock(game: Game) -> Json | None:
    """The terms of the clock, if the table has one."""
    if game.turn_seconds is None:
        return None
    return {
        "turn_seconds": game.turn_seconds,
        "bank_seconds": game.bank_seconds,
        "on_timeout": game.on_timeout,
    }


def _you(game: Game, viewer: Viewer, *, as_brain: bool) -> Json | None:
    if viewer is None:
        return None
    hand = () if game.state is None else _own_hand(game.state, viewer)
    moves = _legal_moves(acting_state(game, viewer, as_brain=as_brain), viewer)
    return {"seat": viewer, "hand": hand, "legal_moves": moves}


def acting_state(game: Game, viewer: Viewer, *, as_brain: bool = False) -> AnyState | None:
    """The state in which the viewer may move: none for who has handed his seat to a brain."""
    if viewer is not None and not as_brain and game.is_handed_over(viewer):
        return None
    return game.state


def _own_hand(state: AnyState, seat: Seat) -> Sequence[Any]:
    if isinstance(state, State) and state.slots:
        return [{"slot": number} for number in slot_numbers(state, seat)]
    return to_cards(_hand(state, seat))


def _hand(state: AnyState | None, seat: Seat) -> CardSet:
    """A hand; empty before the deal, also between the start of a game and its deal."""
    return state.hands[seat] if state is not None and state.hands else 0


def _legal_moves(state: AnyState | None, viewer: Viewer) -> tuple[engine.Pattern, ...]:
    if state is None or viewer is None:
        return ()
    return engine.legal_moves(state, viewer)


def _seat(game: Game, seat: Seat, sitter: Sitter | None, viewer: Viewer) -> Json:
    state, chair = game.state, game.chairs[seat]
    if chair.player is None:
        return _free_seat(game, seat, sitter)
    shown: Json = {
        "seat": seat,
        "player": sitter.name if sitter else None,
        "kind": sitter.kind if sitter else None,
        "bot": chair.brain,
        "hand_count": _hand(state, seat).bit_count(),
        "status": _seat_status(game, seat),
        "place": _place(game, seat),
    }
    if game.clock is not None and game.clock.banks:
        shown["bank_seconds"] = game.clock.banks[seat] / 1000
    if not isinstance(state, State) or not state.hands:
        return shown
    if state.exposed & state.hands[seat]:
        shown["shown"] = to_cards(state.exposed & state.hands[seat])
    if state.rules.face_out and viewer is not None and seat != viewer:
        shown["hand"] = to_cards(state.hands[seat])
    return shown


def _free_seat(game: Game, seat: Seat, sitter: Sitter | None) -> Json:
    """A seat that nobody has taken; `sitter` is for whom it is kept, if it is."""
    shown: Json = {
        "seat": seat,
        "player": None,
        "kind": None,
        "bot": None,
        "hand_count": 0,
        "status": "open",
        "place": None,
    }
    if game.chairs[seat].reserved is None or sitter is None:
        return shown
    return shown | {"status": "reserved", "reserved_for": sitter.name}


def _seat_status(game: Game, seat: Seat) -> str:
    if game.state is None:
        return "seated"
    if game.chairs[seat].resigned:
        return "resigned"
    return "out" if seat in game.state.out else "playing"


def _place(game: Game, seat: Seat) -> int | None:
    if game.state is None:
        return None
    if game.result is not None and game.result.places:
        return _place_in(game.result.places, seat)
    return dict(game.state.places).get(seat)


def _place_in(places: tuple[tuple[Seat, ...], ...], seat: Seat) -> int:
    shared = next(index for index, group in enumerate(places) if seat in group)
    return 1 + sum(len(better) for better in places[:shared])


def _cards(game: Game) -> Json:
    state = game.state
    if state is None:
        bout = game.family == "bout"
        fields = _SHARED_FIELDS + (_BOUT_FIELDS if bout else _SHEDDING_FIELDS)
        empty: Json = {"to_act": [], "deadline": None} | ({"table": []} if bout else {})
        return dict.fromkeys(fields) | empty
    shown: Json = {
        "phase": state.phase,
        "to_act": state.to_act,
        "deadline": game.deadline,
        "dealer": state.dealer,
        "talon_count": len(state.talon),
        "passed": state.passed,
    }
    return shown | (_bout(state) if isinstance(state, State) else _shedding(state))


def _bout(state: State) -> Json:
    shown: Json = {
        "trump": state.trump,
        "turn_up": state.turn_up,
        "discard_count": state.discard_count,
        "table": [{"attack": pair.attack, "beat": pair.beat} for pair in state.table],
        "attacker": state.attacker,
        "defender": state.defender,
    }
    if state.rules.discard_visibility == "full":
        shown["discard"] = to_cards(state.discard)
    return shown


def _shedding(state: SheddingState) -> Json:
    return {
        "discard_count": len(state.pile),
        "top_card": state.pile[-1] if state.pile else None,
        "named_suit": state.named_suit,
        "pending": None if state.pending is None else msgspec.to_builtins(state.pending),
        "ace_right": state.ace_right,
    }


_SHARED_FIELDS: Final = ("phase", "dealer", "talon_count", "discard_count", "passed")
_BOUT_FIELDS: Final = ("trump", "turn_up", "attacker", "defender")
_SHEDDING_FIELDS: Final = ("top_card", "named_suit", "pending", "ace_right")


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


def next_for(state: AnyState | None, follows: Next, viewer: Viewer) -> Json:
    """What follows a move, with the viewer's own legal moves at that version.

    Attacker and defender are there in every game, since who watches has no `state` to look at.
    """
    clock = follows.clock
    shown: Json = {
        "phase": follows.phase,
        "to_act": follows.to_act,
        "attacker": follows.attacker,
        "defender": follows.defender,
        "deadline": None if clock is None else clock.deadline,
        "legal_moves": _legal_moves(state, viewer) if follows.phase != FINISHED else (),
    }
    if clock is not None and clock.banks:
        shown["bank_seconds"] = [bank / 1000 for bank in clock.banks]
    return shown


def _public(kind: str, event: Event) -> Json:
    if kind not in _PUBLIC:
        raise LookupError(f"nobody said what {kind} may show")
    data = msgspec.to_builtins(event)
    return {field: data[field] for field in _PUBLIC[kind] if field in data}


def _dealt(event: CardsDealt, viewer: Viewer) -> Json:
    face_out = bool(event.slots)
    shown: Json = {
        "hands": [
            list(hand) if _is_seen(seat, viewer, face_out) else [HIDDEN] * len(hand)
            for seat, hand in enumerate(event.hands)
        ],
        "talon_count": len(event.talon),
    }
    if face_out and viewer is not None:
        shown["slots"] = _slots(event.slots[viewer])
    return shown


def _replenished(event: HandReplenished, viewer: Viewer) -> Json:
    seen, open_card = _is_seen(event.seat, viewer, event.slots is not None), event.open_card
    cards = [card if seen or card == open_card else HIDDEN for card in event.cards]
    shown: Json = {} if open_card is None else {"open_card": open_card}
    return {"seat": event.seat, "cards": cards, **shown, **_fresh(event.seat, event.slots, viewer)}


def _drawn(event: CardsDrawn, viewer: Viewer) -> Json:
    """Cards drawn: their faces for who drew them, for the others how many (W13)."""
    cards = list(event.cards) if event.seat == viewer else [HIDDEN] * len(event.cards)
    return {"seat": event.seat, "cards": cards, "penalty": event.penalty}


def _recycled(event: DiscardRecycled, viewer: Viewer) -> Json:
    """A pile turned over: how many cards, not in which order they will come."""
    return {"seat": event.seat, "cards": [HIDDEN] * len(event.cards)}


def _taken(event: BoutTaken, viewer: Viewer) -> Json:
    shown = {"seat": event.seat, "cards": list(event.cards)}
    return shown | _fresh(event.seat, event.slots, viewer)


def _played(event: Event, viewer: Viewer) -> Json:
    """Cards laid down: everybody sees their faces, their owner which of his slots they left."""
    shown = _public(TYPE_OF[type(event)], event)
    if shown["seat"] != viewer:
        shown.pop("from_slots", None)
    return shown


def _is_seen(seat: Seat, viewer: Viewer, face_out: bool) -> bool:
    """Whether the viewer sees the faces of a seat's hand: its owner, or all others (B-30)."""
    if face_out:
        return viewer is not None and seat != viewer
    return seat == viewer


def _fresh(seat: Seat, slots: Slots | None, viewer: Viewer) -> Json:
    """The new slot numbers of a hand face out, for its owner; which card is where nobody learns."""
    return {"slots": _slots(slots)} if slots is not None and seat == viewer else {}


def _slots(slots: Slots) -> Json:
    return {"base": slots.base, "count": len(slots.cards)}


_REDACTIONS: Final[dict[str, Callable[[Any, Viewer], Json]]] = {
    "cards_dealt": _dealt,
    "hand_replenished": _replenished,
    "bout_taken": _taken,
    "bout_opened": _played,
    "card_beaten": _played,
    "cards_thrown_in": _played,
    "bout_transferred": _played,
    "cards_drawn": _drawn,
    "discard_recycled": _recycled,
}
# The fields of other events. Everybody may know them all but `from_slots`, which the owner may.
_PUBLIC: Final[dict[str, tuple[str, ...]]] = {
    "game_created": (
        *("ruleset", "options", "rules", "ruleset_sha256", "seats", "creator", "rated"),
        *("visibility", "auto_start", "match", "game_number", "commitment", "chain_commitment"),
        *("series_length", "match_target", "previous", "reserved", "reserved_until"),
        *("turn_seconds", "bank_seconds", "on_timeout", "spectator_delay"),
    ),
    "player_joined": ("seat", "player", "kind", "brain", "client_seed"),
    "player_left": ("seat", "player"),
    "client_seed_set": ("seat", "client_seed"),
    "game_started": ("dealer",),
    "trump_turned": ("seat", "card", "suit", "drawn"),
    "cards_redealt": ("reason",),
    "attacker_named": ("seat", "reason", "card"),
    "bout_opened": ("seat", "defender", "cards", "limit", "from_slots"),
    # Not `wrong`: who beats or throws in wrongly is for the table to notice.
    "card_beaten": ("seat", "target", "card", "from_slots"),
    "cards_thrown_in": ("seat", "cards", "from_slots"),
    "bout_transferred": ("seat", "defender", "cards", "limit", "from_slots"),
    "trump_shown": ("seat", "card", "defender", "limit"),
    "trump_exchanged": ("seat", "card", "open_card"),
    "wrong_play_punished": ("seat", "move", "cards", "target"),
    "wrong_play_called": ("seat", "offender", "card", "target", "returned"),
    "take_declared": ("seat",),
    "seat_passed": ("seat",),
    "bout_discarded": ("cards",),
    "first_player_named": ("seat", "reason"),
    "starter_opened": ("seat", "card", "pending"),
    "cards_played": ("seat", "cards", "suit", "pending"),
    "suit_named": ("seat", "suit"),
    "seat_skipped": ("seat",),
    "ace_right_passed": ("seat",),
    "seat_went_out": ("seat", "place"),
    "seat_resigned": ("seat",),
    "seat_replaced": ("seat", "brain", "reason"),
    "seat_returned": ("seat",),
    "seat_timed_out": ("seat", "missed"),
    "deadline_extended": ("down_from", "down_until"),
    "game_finished": ("result",),
    "game_voided": ("result", "reason", "by"),
}
