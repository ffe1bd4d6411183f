"""Folding bout events onto the state. Events are facts: no rule is asked here."""

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from games.rules.cards import BIT, Card, CardSet, Suit, lowest_of_suit, to_set
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
from games.rules.state import ATTACK, TAKE, Play, State, pair_of

# What changes with a hand: hands, who shed his last card and how, and slots face out.
_Held = tuple[
    tuple[CardSet, ...],
    tuple[Seat, ...],
    tuple[tuple[Card, ...], ...],
    tuple[tuple[Card | None, ...], ...],
]


def evolve(state: State, event: Event) -> State:
    """The state after an event; inside a move nobody may act."""
    state = FOLDS[type(event)](state, event)
    return state if event.next is None else follow(state, event.next)


def follow(state: State, follows: Next) -> State:
    """The state at the end of a move, between the last event and the next decision."""
    seen = state.seen
    if not state.talon and follows.phase == ATTACK and state.rules.repetition_draw is not None:
        # No card can be drawn any more: remember how each bout begins, for the repetition draw.
        seen = (*seen, (follows.attacker or 0, *state.hands))
    return replace(
        state,
        phase=follows.phase,
        to_act=follows.to_act,
        attacker=follows.attacker,
        defender=follows.defender,
        moves=state.moves + 1,
        seen=seen,
    )


def _started(state: State, event: GameStarted) -> State:
    return replace(state, dealer=event.dealer)


def _dealt(state: State, event: CardsDealt) -> State:
    return replace(
        state,
        hands=tuple(to_set(hand) for hand in event.hands),
        talon=event.talon,
        trump=None,
        turn_up=None,
        exposed=0,
        slots=tuple(slots.cards for slots in event.slots),
        slot_base=tuple(slots.base for slots in event.slots),
    )


def _trump_turned(state: State, event: TrumpTurned) -> State:
    dealt = event.card is not None and event.seat is not None
    return replace(
        state,
        trump=event.suit,
        turn_up=None if dealt else event.card,
        exposed=BIT[event.card] if dealt and event.card else 0,
        lowest_trump_owner=_holder(state, _lowest_trump(state, event.suit)),
    )


def _unchanged(state: State, event: Event) -> State:
    return replace(state, to_act=())


def _opened(state: State, event: BoutOpened) -> State:
    hands, _, _, slots = _without(state, event.seat, event.cards)
    emptied = not hands[event.seat]
    return replace(
        state,
        hands=hands,
        emptied=(event.seat,) if emptied else (),
        shed=(event.cards,) if emptied else (),
        slots=slots,
        table=tuple([pair_of(card) for card in event.cards]),
        limit=event.limit,
        to_act=(),
    )


def _beaten(state: State, event: CardBeaten) -> State:
    hands, emptied, shed, slots = _without(state, event.seat, (event.card,))
    beaten, plays = pair_of(event.target, event.card), state.plays
    if state.rules.enforcement == "catchable":
        plays = (*plays, Play(event.seat, event.card, event.target, event.wrong))
    return replace(
        state,
        hands=hands,
        emptied=emptied,
        shed=shed,
        slots=slots,
        table=tuple([beaten if pair[0] == event.target else pair for pair in state.table]),
        passed=(),
        plays=plays,
        to_act=(),
    )


def _thrown_in(state: State, event: CardsThrownIn) -> State:
    added = _added(state, event.seat, event.cards)
    if state.rules.enforcement != "catchable":
        return added
    plays = [Play(event.seat, card, None, card in event.wrong) for card in event.cards]
    return replace(added, plays=(*state.plays, *plays))


def _transferred(state: State, event: BoutTransferred) -> State:
    added = _added(state, event.seat, event.cards)
    return replace(added, attacker=event.seat, defender=event.defender, limit=event.limit)


def _trump_shown(state: State, event: TrumpShown) -> State:
    return replace(
        state,
        attacker=event.seat,
        defender=event.defender,
        limit=event.limit,
        shown=(*state.shown, event.card),
        exposed=state.exposed | BIT[event.card],
        passed=(),
        to_act=(),
    )


def _exchanged(state: State, event: TrumpExchanged) -> State:
    hand = state.hands[event.seat] & ~BIT[event.card] | BIT[event.open_card]
    return replace(
        state,
        hands=_with_hand(state, event.seat, hand),
        talon=(*state.talon[:-1], event.card),
        turn_up=event.card,
        exposed=state.exposed | BIT[event.open_card] | BIT[event.card],
        to_act=(),
    )


def _called(state: State, event: WrongPlayCalled) -> State:
    back = {event.card: event.offender}
    if event.returned is not None and state.defender is not None:
        back[event.returned] = state.defender
    returned = _given_back(state, back)
    if event.target is not None:
        freed = [pair_of(pair.attack) if pair.beat == event.card else pair for pair in state.table]
        return replace(returned, table=tuple(freed))
    barred = state.barred
    if event.offender not in barred:
        barred = (*barred, event.offender)
    left = tuple(pair for pair in state.table if pair.attack != event.card)
    return replace(returned, table=left, barred=barred)


def _given_back(state: State, back: dict[Card, Seat]) -> State:
    hands = list(state.hands)
    for card, seat in back.items():
        hands[seat] |= BIT[card]
    shed = zip(state.emptied, state.shed, strict=True)
    still = [(seat, cards) for seat, cards in shed if seat not in back.values()]
    return replace(
        state,
        hands=tuple(hands),
        exposed=state.exposed & ~to_set(back),
        plays=tuple(play for play in state.plays if play.card not in back),
        emptied=tuple(seat for seat, _ in still),
        shed=tuple(cards for _, cards in still),
        to_act=(),
    )


def _take_declared(state: State, event: TakeDeclared) -> State:
    return replace(state, phase=TAKE, to_act=())


def _passed(state: State, event: SeatPassed) -> State:
    return replace(state, passed=(*state.passed, event.seat), to_act=())


def _taken(state: State, event: BoutTaken) -> State:
    return _cleared(
        state,
        exposed=state.exposed & ~to_set(event.cards),
        **_with_cards(state, event.seat, event.cards, event.slots),
    )


def _discarded(state: State, event: BoutDiscarded) -> State:
    return _cleared(
        state,
        discard=state.discard | to_set(event.cards),
        discard_count=state.discard_count + len(event.cards),
        seen=(),
    )


def _replenished(state: State, event: HandReplenished) -> State:
    talon = state.talon[len(event.cards) :]
    exposed, owner = state.exposed, state.lowest_trump_owner
    if event.open_card is not None:
        exposed |= BIT[event.open_card]
    if state.trump is not None and _lowest_trump(state, state.trump) in event.cards:
        owner = event.seat
    return replace(
        state,
        talon=talon,
        turn_up=state.turn_up if talon else None,
        exposed=exposed,
        lowest_trump_owner=owner,
        **_with_cards(state, event.seat, event.cards, event.slots),
    )


def _went_out(state: State, event: SeatWentOut) -> State:
    places = (*state.places, (event.seat, event.place))
    return replace(state, out=(*state.out, event.seat), places=places)


def _finished(state: State, event: GameFinished) -> State:
    return replace(state, result=event.result, to_act=())


def _cleared(state: State, **changes: Any) -> State:
    """The bout is over: nothing lies on the table, and `changes` besides."""
    return replace(
        state,
        table=(),
        passed=(),
        limit=0,
        bouts=state.bouts + 1,
        shown=(),
        plays=(),
        barred=(),
        to_act=(),
        **changes,
    )


def _added(state: State, seat: Seat, cards: tuple[Card, ...]) -> State:
    hands, emptied, shed, slots = _without(state, seat, cards)
    return replace(
        state,
        hands=hands,
        emptied=emptied,
        shed=shed,
        slots=slots,
        table=(*state.table, *[pair_of(card) for card in cards]),
        passed=(),
        to_act=(),
    )


def _without(state: State, seat: Seat, cards: tuple[Card, ...]) -> _Held:
    left = state.hands[seat] & ~to_set(cards)
    hands, slots = _with_hand(state, seat, left), state.slots
    if slots:
        kept = tuple(None if card in cards else card for card in slots[seat])
        slots = (*slots[:seat], kept, *slots[seat + 1 :])
    if left:
        return hands, state.emptied, state.shed, slots
    return hands, (*state.emptied, seat), (*state.shed, cards), slots


def _with_cards(
    state: State, seat: Seat, cards: tuple[Card, ...], slots: Slots | None
) -> dict[str, Any]:
    """What changes when a hand gains cards."""
    hands = _with_hand(state, seat, state.hands[seat] | to_set(cards))
    if slots is None:
        return {"hands": hands}
    return {
        "hands": hands,
        "slots": (*state.slots[:seat], slots.cards, *state.slots[seat + 1 :]),
        "slot_base": (*state.slot_base[:seat], slots.base, *state.slot_base[seat + 1 :]),
    }


def _with_hand(state: State, seat: Seat, hand: CardSet) -> tuple[CardSet, ...]:
    return (*state.hands[:seat], hand, *state.hands[seat + 1 :])


def _lowest_trump(state: State, trump: Suit) -> Card:
    return lowest_of_suit(state.rules.deck_size, trump)


def _holder(state: State, card: Card) -> Seat | None:
    return next((seat for seat, hand in enumerate(state.hands) if hand & BIT[card]), None)


FOLDS: Final[dict[type[Event], Callable[[State, Any], State]]] = {
    GameStarted: _started,
    CardsDealt: _dealt,
    TrumpTurned: _trump_turned,
    CardsRedealt: _unchanged,
    AttackerNamed: _unchanged,
    BoutOpened: _opened,
    CardBeaten: _beaten,
    CardsThrownIn: _thrown_in,
    BoutTransferred: _transferred,
    TrumpShown: _trump_shown,
    TrumpExchanged: _exchanged,
    WrongPlayPunished: _unchanged,
    WrongPlayCalled: _called,
    TakeDeclared: _take_declared,
    SeatPassed: _passed,
    BoutTaken: _taken,
    BoutDiscarded: _discarded,
    HandReplenished: _replenished,
    SeatWentOut: _went_out,
    GameFinished: _finished,
}
