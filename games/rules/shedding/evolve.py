"""Folding shedding events onto the state. Events are facts: no rule is asked here."""

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from games.rules.cards import Card, CardSet, to_set
from games.rules.events import (
    AceRightPassed,
    CardsDealt,
    CardsDrawn,
    CardsPlayed,
    DiscardRecycled,
    Event,
    FirstPlayerNamed,
    GameFinished,
    GameStarted,
    Next,
    Seat,
    SeatPassed,
    SeatSkipped,
    SeatWentOut,
    StarterOpened,
    SuitNamed,
)
from games.rules.shedding.state import ACE_CHAIN, DRAWN, SheddingState


def evolve(state: SheddingState, event: Event) -> SheddingState:
    """The state after an event; inside a move nobody may act."""
    state = FOLDS[type(event)](state, event)
    return state if event.next is None else follow(state, event.next)


def follow(state: SheddingState, follows: Next) -> SheddingState:
    """The state at the end of a move: a drawn card and a right end with the turn they are for."""
    return replace(
        state,
        phase=follows.phase,
        to_act=follows.to_act,
        moves=state.moves + 1,
        drawn=state.drawn if follows.phase in (DRAWN, ACE_CHAIN) else None,
        ace_right=state.ace_right if state.ace_right in follows.to_act else None,
    )


def _started(state: SheddingState, event: GameStarted) -> SheddingState:
    return replace(state, dealer=event.dealer)


def _dealt(state: SheddingState, event: CardsDealt) -> SheddingState:
    hands = tuple(to_set(hand) for hand in event.hands)
    return replace(state, hands=hands, talon=event.talon)


def _first_named(state: SheddingState, event: FirstPlayerNamed) -> SheddingState:
    return replace(state, first_player=event.seat)


def _opened(state: SheddingState, event: StarterOpened) -> SheddingState:
    pile, pending = (*state.pile, event.card), event.pending
    if event.seat is None:
        return replace(state, pile=pile, pending=pending, talon=state.talon[1:])
    hands = _without(state, event.seat, (event.card,))
    return replace(state, pile=pile, pending=pending, hands=hands)


def _played(state: SheddingState, event: CardsPlayed) -> SheddingState:
    return replace(
        state,
        hands=_without(state, event.seat, event.cards),
        pile=state.pile + event.cards,
        named_suit=event.suit,
        passed=(),
        drawn=None,
        pending=event.pending,
        ace_right=None,
        to_act=(),
    )


def _drawn(state: SheddingState, event: CardsDrawn) -> SheddingState:
    hand = state.hands[event.seat] | to_set(event.cards)
    return replace(
        state,
        hands=_with_hand(state, event.seat, hand),
        talon=state.talon[len(event.cards) :],
        passed=(),
        drawn=state.drawn if event.penalty else event.cards[-1],
        pending=None,
        to_act=(),
    )


def _recycled(state: SheddingState, event: DiscardRecycled) -> SheddingState:
    return replace(state, talon=event.cards, pile=state.pile[-1:], to_act=())


def _suit_named(state: SheddingState, event: SuitNamed) -> SheddingState:
    return replace(state, named_suit=event.suit, to_act=())


def _skipped(state: SheddingState, event: SeatSkipped) -> SheddingState:
    return replace(state, pending=None, to_act=())


def _passed(state: SheddingState, event: SeatPassed) -> SheddingState:
    passed = state.passed if event.seat in state.passed else (*state.passed, event.seat)
    return replace(state, passed=passed, pending=None, to_act=())


def _right_passed(state: SheddingState, event: AceRightPassed) -> SheddingState:
    return replace(state, ace_right=event.seat)


def _went_out(state: SheddingState, event: SeatWentOut) -> SheddingState:
    return replace(
        state,
        out=(*state.out, event.seat),
        last_cards=(*state.last_cards, state.pile[-1]),
        places=(*state.places, (event.seat, event.place)),
    )


def _finished(state: SheddingState, event: GameFinished) -> SheddingState:
    return replace(state, result=event.result, to_act=())


def _without(state: SheddingState, seat: Seat, cards: tuple[Card, ...]) -> tuple[CardSet, ...]:
    return _with_hand(state, seat, state.hands[seat] & ~to_set(cards))


def _with_hand(state: SheddingState, seat: Seat, hand: CardSet) -> tuple[CardSet, ...]:
    return (*state.hands[:seat], hand, *state.hands[seat + 1 :])


FOLDS: Final[dict[type[Event], Callable[[SheddingState, Any], SheddingState]]] = {
    GameStarted: _started,
    CardsDealt: _dealt,
    FirstPlayerNamed: _first_named,
    StarterOpened: _opened,
    CardsPlayed: _played,
    CardsDrawn: _drawn,
    DiscardRecycled: _recycled,
    SuitNamed: _suit_named,
    SeatSkipped: _skipped,
    SeatPassed: _passed,
    AceRightPassed: _right_passed,
    SeatWentOut: _went_out,
    GameFinished: _finished,
}
