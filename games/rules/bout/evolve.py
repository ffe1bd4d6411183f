"""Folding bout events onto the state. Events are facts: no rule is asked here."""

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from games.rules.cards import BIT, Card, Suit, lowest_of_suit, to_set
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
    Slots,
    TakeDeclared,
    TrumpExchanged,
    TrumpShown,
    TrumpTurned,
    WrongPlayCalled,
    WrongPlayPunished,
)
from games.rules.state import ATTACK, TAKE, Pair, Play, State

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
    return {
        "hands": tuple(to_set(hand) for hand in event.hands),
        "talon": event.talon,
        "trump": None,
        "turn_up": None,
        "exposed": 0,
        "slots": tuple(slots.cards for slots in event.slots),
        "slot_base": tuple(slots.base for slots in event.slots),
    }


def _trump_turned(state: State, event: TrumpTurned) -> Changes:
    changes: Changes = {"trump": event.suit}
    if event.card is not None and event.seat is None:
        changes["turn_up"] = event.card
    elif event.card is not None:
        changes["exposed"] = BIT[event.card]
    changes["lowest_trump_owner"] = _holder(state, _lowest_trump(state, event.suit))
    return changes


def _redealt(state: State, event: CardsRedealt) -> Changes:
    return {}


def _attacker_named(state: State, event: AttackerNamed) -> Changes:
    return {}


def _opened(state: State, event: BoutOpened) -> Changes:
    changes = _without(state, event.seat, event.cards)
    emptied = not changes["hands"][event.seat]
    changes["emptied"] = (event.seat,) if emptied else ()
    changes["shed"] = (event.cards,) if emptied else ()
    changes["table"] = tuple([Pair(card) for card in event.cards])
    changes["limit"] = event.limit
    return changes


def _beaten(state: State, event: CardBeaten) -> Changes:
    beaten = Pair(event.target, event.card)
    changes = _without(state, event.seat, (event.card,))
    changes["table"] = tuple(
        [beaten if pair.attack == event.target else pair for pair in state.table]
    )
    changes["passed"] = ()
    if state.rules.enforcement == "catchable":
        play = Play(event.seat, event.card, event.target, event.wrong)
        changes["plays"] = (*state.plays, play)
    return changes


def _thrown_in(state: State, event: CardsThrownIn) -> Changes:
    changes = _added(state, event.seat, event.cards)
    if state.rules.enforcement == "catchable":
        plays = [Play(event.seat, card, None, card in event.wrong) for card in event.cards]
        changes["plays"] = (*state.plays, *plays)
    return changes


def _transferred(state: State, event: BoutTransferred) -> Changes:
    moved = {"attacker": event.seat, "defender": event.defender, "limit": event.limit}
    return _added(state, event.seat, event.cards) | moved


def _trump_shown(state: State, event: TrumpShown) -> Changes:
    return {
        "attacker": event.seat,
        "defender": event.defender,
        "limit": event.limit,
        "shown": (*state.shown, event.card),
        "exposed": state.exposed | BIT[event.card],
        "passed": (),
    }


def _exchanged(state: State, event: TrumpExchanged) -> Changes:
    hand = state.hands[event.seat] & ~BIT[event.card] | BIT[event.open_card]
    return {
        "hands": _with_hand(state, event.seat, hand),
        "talon": (*state.talon[:-1], event.card),
        "turn_up": event.card,
        "exposed": state.exposed | BIT[event.open_card] | BIT[event.card],
    }


def _punished(state: State, event: WrongPlayPunished) -> Changes:
    return {}


def _called(state: State, event: WrongPlayCalled) -> Changes:
    back = {event.card: event.offender}
    if event.returned is not None and state.defender is not None:
        back[event.returned] = state.defender
    changes = _given_back(state, back)
    if event.target is not None:
        changes["table"] = tuple(
            Pair(pair.attack) if pair.beat == event.card else pair for pair in state.table
        )
    else:
        changes["table"] = tuple(pair for pair in state.table if pair.attack != event.card)
        if event.offender not in state.barred:
            changes["barred"] = (*state.barred, event.offender)
    return changes


def _given_back(state: State, back: dict[Card, Seat]) -> Changes:
    hands = list(state.hands)
    for card, seat in back.items():
        hands[seat] |= BIT[card]
    shed = zip(state.emptied, state.shed, strict=True)
    still = [(seat, cards) for seat, cards in shed if seat not in back.values()]
    return {
        "hands": tuple(hands),
        "plays": tuple(play for play in state.plays if play.card not in back),
        "emptied": tuple(seat for seat, _ in still),
        "shed": tuple(cards for _, cards in still),
    }


def _take_declared(state: State, event: TakeDeclared) -> Changes:
    return {"phase": TAKE}


def _passed(state: State, event: SeatPassed) -> Changes:
    return {"passed": (*state.passed, event.seat)}


def _taken(state: State, event: BoutTaken) -> Changes:
    return _with_cards(state, event.seat, event.cards, event.slots) | _cleared(state)


def _discarded(state: State, event: BoutDiscarded) -> Changes:
    return _cleared(state) | {
        "discard": state.discard | to_set(event.cards),
        "discard_count": state.discard_count + len(event.cards),
        "seen": (),
    }


def _replenished(state: State, event: HandReplenished) -> Changes:
    talon = state.talon[len(event.cards) :]
    changes = _with_cards(state, event.seat, event.cards, event.slots)
    changes["talon"] = talon
    if not talon:
        changes["turn_up"] = None
    if event.open_card is not None:
        changes["exposed"] = state.exposed | BIT[event.open_card]
    if state.trump is not None and _lowest_trump(state, state.trump) in event.cards:
        changes["lowest_trump_owner"] = event.seat
    return changes


def _went_out(state: State, event: SeatWentOut) -> Changes:
    places = (*state.places, (event.seat, event.place))
    return {"out": (*state.out, event.seat), "places": places}


def _finished(state: State, event: GameFinished) -> Changes:
    return {"result": event.result}


def _cleared(state: State) -> Changes:
    cleared: Changes = {"table": (), "passed": (), "limit": 0, "bouts": state.bouts + 1}
    if state.shown or state.plays or state.barred:
        cleared |= {"shown": (), "plays": (), "barred": ()}
    return cleared


def _added(state: State, seat: Seat, cards: tuple[Card, ...]) -> Changes:
    changes = _without(state, seat, cards)
    changes["table"] = (*state.table, *[Pair(card) for card in cards])
    changes["passed"] = ()
    return changes


def _without(state: State, seat: Seat, cards: tuple[Card, ...]) -> Changes:
    left = state.hands[seat] & ~to_set(cards)
    changes: Changes = {"hands": _with_hand(state, seat, left)}
    if not left:
        changes["emptied"] = (*state.emptied, seat)
        changes["shed"] = (*state.shed, cards)
    if state.slots:
        kept = tuple(None if card in cards else card for card in state.slots[seat])
        changes["slots"] = (*state.slots[:seat], kept, *state.slots[seat + 1 :])
    return changes


def _with_cards(state: State, seat: Seat, cards: tuple[Card, ...], slots: Slots | None) -> Changes:
    hand = state.hands[seat] | to_set(cards)
    changes: Changes = {"hands": _with_hand(state, seat, hand)}
    if slots is not None:
        changes["slots"] = (*state.slots[:seat], slots.cards, *state.slots[seat + 1 :])
        changes["slot_base"] = (*state.slot_base[:seat], slots.base, *state.slot_base[seat + 1 :])
    return changes


def _with_hand(state: State, seat: Seat, hand: int) -> tuple[int, ...]:
    return (*state.hands[:seat], hand, *state.hands[seat + 1 :])


def _lowest_trump(state: State, trump: Suit) -> Card:
    return lowest_of_suit(state.rules.deck_size, trump)


def _holder(state: State, card: Card) -> Seat | None:
    return next((seat for seat, hand in enumerate(state.hands) if hand & BIT[card]), None)


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
    TrumpShown: _trump_shown,
    TrumpExchanged: _exchanged,
    WrongPlayPunished: _punished,
    WrongPlayCalled: _called,
    TakeDeclared: _take_declared,
    SeatPassed: _passed,
    BoutTaken: _taken,
    BoutDiscarded: _discarded,
    HandReplenished: _replenished,
    SeatWentOut: _went_out,
    GameFinished: _finished,
}
