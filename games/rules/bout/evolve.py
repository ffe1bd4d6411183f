"""Folding bout events onto the state. Events are facts: no rule is asked here."""

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from games.rules.cards import BIT, Card, to_set
from games.rules.events import (
    AttackerNamed,
    BoutDiscarded,
    BoutOpened,
    BoutTaken,
    BoutTransferred,
    CardBeaten,
    CardsDealt,
    CardsRedealt,
    CardsThrownIn,
    Event,
    GameFinished,
    GameStarted,
    HandReplenished,
    Next,
    Seat,
    SeatPassed,
    SeatWentOut,
    TakeDeclared,
    TrumpTurned,
)
from games.rules.state import ATTACK, TAKE, Pair, State

Changes = dict[str, Any]


def evolve(state: State, event: Event) -> State:
    """The state after an event; inside a move nobody may act."""
    changes = _FOLDS[type(event)](state, event)
    changes["to_act"] = ()
    if event.next is not None:
        _follow(state, changes, event.next)
    return replace(state, **changes)


def _follow(state: State, changes: Changes, follows: Next) -> None:
    changes["phase"] = follows.phase
    changes["to_act"] = follows.to_act
    changes["attacker"] = follows.attacker
    changes["defender"] = follows.defender
    changes["moves"] = state.moves + 1
    if follows.phase == ATTACK and not changes.get("talon", state.talon):
        # No card can be drawn any more: remember how each bout begins, for the repetition draw.
        begins = (follows.attacker, *changes.get("hands", state.hands))
        changes["seen"] = (*changes.get("seen", state.seen), begins)


def _started(state: State, event: GameStarted) -> Changes:
    return {"dealer": event.dealer}


def _dealt(state: State, event: CardsDealt) -> Changes:
    hands = tuple(to_set(hand) for hand in event.hands)
    return {"hands": hands, "talon": event.talon, "trump": None, "turn_up": None}


def _trump_turned(state: State, event: TrumpTurned) -> Changes:
    return {"trump": event.suit, "turn_up": event.card if event.seat is None else None}


def _redealt(state: State, event: CardsRedealt) -> Changes:
    return {}


def _attacker_named(state: State, event: AttackerNamed) -> Changes:
    return {}


def _opened(state: State, event: BoutOpened) -> Changes:
    left = state.hands[event.seat] & ~to_set(event.cards)
    return {
        "hands": _with_hand(state, event.seat, left),
        "emptied": () if left else (event.seat,),
        "table": tuple([Pair(card) for card in event.cards]),
        "limit": event.limit,
    }


def _beaten(state: State, event: CardBeaten) -> Changes:
    beaten = Pair(event.target, event.card)
    table = tuple([beaten if pair.attack == event.target else pair for pair in state.table])
    hands, emptied = _hands_without(state, event.seat, BIT[event.card])
    return {"table": table, "hands": hands, "emptied": emptied, "passed": ()}


def _thrown_in(state: State, event: CardsThrownIn) -> Changes:
    return _added(state, event.seat, event.cards)


def _transferred(state: State, event: BoutTransferred) -> Changes:
    moved = {"attacker": event.seat, "defender": event.defender, "limit": event.limit}
    return _added(state, event.seat, event.cards) | moved


def _take_declared(state: State, event: TakeDeclared) -> Changes:
    return {"phase": TAKE}


def _passed(state: State, event: SeatPassed) -> Changes:
    return {"passed": (*state.passed, event.seat)}


def _taken(state: State, event: BoutTaken) -> Changes:
    hands = _with_hand(state, event.seat, state.hands[event.seat] | to_set(event.cards))
    return {"hands": hands, "table": (), "passed": (), "limit": 0, "bouts": state.bouts + 1}


def _discarded(state: State, event: BoutDiscarded) -> Changes:
    return {
        "discard": state.discard | to_set(event.cards),
        "discard_count": state.discard_count + len(event.cards),
        "table": (),
        "passed": (),
        "limit": 0,
        "bouts": state.bouts + 1,
        "seen": (),
    }


def _replenished(state: State, event: HandReplenished) -> Changes:
    hands = _with_hand(state, event.seat, state.hands[event.seat] | to_set(event.cards))
    talon = state.talon[len(event.cards) :]
    return {"hands": hands, "talon": talon, "turn_up": state.turn_up if talon else None}


def _went_out(state: State, event: SeatWentOut) -> Changes:
    places = (*state.places, (event.seat, event.place))
    return {"out": (*state.out, event.seat), "places": places}


def _finished(state: State, event: GameFinished) -> Changes:
    return {"result": event.result}


def _added(state: State, seat: Seat, cards: tuple[Card, ...]) -> Changes:
    hands, emptied = _hands_without(state, seat, to_set(cards))
    table = (*state.table, *[Pair(card) for card in cards])
    return {"hands": hands, "emptied": emptied, "table": table, "passed": ()}


def _hands_without(
    state: State, seat: Seat, cards: int
) -> tuple[tuple[int, ...], tuple[Seat, ...]]:
    left = state.hands[seat] & ~cards
    emptied = state.emptied if left else (*state.emptied, seat)
    return _with_hand(state, seat, left), emptied


def _with_hand(state: State, seat: Seat, hand: int) -> tuple[int, ...]:
    return (*state.hands[:seat], hand, *state.hands[seat + 1 :])


_FOLDS: Final[dict[type[Event], Callable[[State, Any], Changes]]] = {
    GameStarted: _started,
    CardsDealt: _dealt,
    TrumpTurned: _trump_turned,
    CardsRedealt: _redealt,
    AttackerNamed: _attacker_named,
    BoutOpened: _opened,
    CardBeaten: _beaten,
    CardsThrownIn: _thrown_in,
    BoutTransferred: _transferred,
    TakeDeclared: _take_declared,
    SeatPassed: _passed,
    BoutTaken: _taken,
    BoutDiscarded: _discarded,
    HandReplenished: _replenished,
    SeatWentOut: _went_out,
    GameFinished: _finished,
}
