"""Deciding bout moves: from a legal move to the events that it causes."""

from collections.abc import Callable
from typing import Final

import msgspec

from games.rules.bout.beating import beating, throw_in_ranks
from games.rules.bout.flow import Story, conclude, conclude_beside, punish
from games.rules.bout.held import resolve, slots_of
from games.rules.bout.judge import WRONG, why_not
from games.rules.bout.judge_trump import called
from games.rules.bout.seating import bout_limit, defender_against
from games.rules.cards import BIT, lowest_of_suit
from games.rules.errors import Refusal
from games.rules.events import (
    BoutOpened,
    BoutTransferred,
    CardBeaten,
    CardsThrownIn,
    Event,
    Seat,
    SeatPassed,
    TakeDeclared,
    TrumpExchanged,
    TrumpShown,
    WrongPlayCalled,
    WrongPlayPunished,
)
from games.rules.moves import Move
from games.rules.shuffle import NO_ENTROPY, Entropy
from games.rules.state import TAKE, Play, State


class Played(msgspec.Struct, frozen=True):
    """A move that was made: its events, and the state after the last of them."""

    events: tuple[Event, ...]
    state: State


def decide(
    state: State, seat: Seat, move: Move, entropy: Entropy = NO_ENTROPY
) -> tuple[Event, ...]:
    """The events of a move; the last one says what follows. Raises Refusal and MalformedMove.

    `entropy` orders the fresh slots of hands that are held face out; other games need none.
    """
    return tuple(_story(state, seat, move, entropy).events)


def play(state: State, seat: Seat, move: Move, entropy: Entropy = NO_ENTROPY) -> Played:
    """Decide a move and fold its events at once: what `decide` and then `evolve` would give."""
    story = _story(state, seat, move, entropy)
    return Played(tuple(story.events), story.state)


def _story(state: State, seat: Seat, move: Move, entropy: Entropy) -> Story:
    if move.slots:
        move = resolve(state, seat, move)
    code = why_not(state, seat, move)
    if code is not None and not (code in _CALLABLE and _stands(state)):
        if code in WRONG and state.slots:
            return _punished(state, seat, move, entropy)
        raise Refusal(code)
    if move.type in _BESIDE:
        return _BESIDE[move.type](state, seat, move, entropy)
    story = Story(state, _EVENTS[move.type](state, seat, move), entropy)
    conclude(story)
    return story


def _stands(state: State) -> bool:
    """Whether a wrong beat or throw-in stands until somebody calls it."""
    return state.rules.enforcement == "catchable"


def _punished(state: State, seat: Seat, move: Move, entropy: Entropy) -> Story:
    event = WrongPlayPunished(seat=seat, move=move.type, cards=move.cards, target=move.target)
    story = Story(state, event, entropy)
    punish(story, seat)
    return story


def _called(state: State, seat: Seat, move: Move, entropy: Entropy) -> Story:
    play = called(state, move)
    if play is None:
        raise Refusal("move.call_unfounded")
    event = WrongPlayCalled(
        seat=seat,
        offender=play.seat,
        card=play.card,
        target=play.target,
        returned=_beater_of(state, play),
    )
    story = Story(state, event, entropy)
    if play.target is not None and state.phase != TAKE:
        story.tell(TakeDeclared(seat=play.seat))
    conclude(story)
    return story


def _beater_of(state: State, play: Play) -> str | None:
    if play.target is not None:
        return None
    return next((pair.beat for pair in state.table if pair.attack == play.card), None)


def _opened(state: State, seat: Seat, move: Move) -> Event:
    defender = state.defender or 0
    return BoutOpened(
        seat=seat,
        defender=defender,
        cards=move.cards,
        limit=bout_limit(state, defender),
        from_slots=slots_of(state, seat, move.cards) if state.slots else (),
    )


def _beaten(state: State, seat: Seat, move: Move) -> Event:
    target, card = move.target or "", move.cards[0]
    wrong = _stands(state) and not BIT[card] & beating(state)[target]
    slots = slots_of(state, seat, move.cards) if state.slots else ()
    return CardBeaten(seat=seat, target=target, card=card, wrong=wrong, from_slots=slots)


def _thrown_in(state: State, seat: Seat, move: Move) -> Event:
    if not _stands(state):
        slots = slots_of(state, seat, move.cards) if state.slots else ()
        return CardsThrownIn(seat=seat, cards=move.cards, from_slots=slots)
    fitting = throw_in_ranks(state)
    wrong = tuple(card for card in move.cards if not BIT[card] & fitting)
    return CardsThrownIn(seat=seat, cards=move.cards, wrong=wrong)


def _transferred(state: State, seat: Seat, move: Move) -> Event:
    target = defender_against(state, seat)
    return BoutTransferred(
        seat=seat,
        defender=target,
        cards=move.cards,
        limit=bout_limit(state, target),
        from_slots=slots_of(state, seat, move.cards),
    )


def _shown(state: State, seat: Seat, move: Move) -> Event:
    target = defender_against(state, seat)
    limit = bout_limit(state, target)
    return TrumpShown(seat=seat, card=move.cards[0], defender=target, limit=limit)


def _take(state: State, seat: Seat, move: Move) -> Event:
    return TakeDeclared(seat=seat)


def _passed(state: State, seat: Seat, move: Move) -> Event:
    return SeatPassed(seat=seat)


def _exchanged(state: State, seat: Seat, move: Move, entropy: Entropy) -> Story:
    card = lowest_of_suit(state.rules.deck_size, state.trump or "")
    event = TrumpExchanged(seat=seat, card=card, open_card=state.turn_up or "")
    story = Story(state, event, entropy)
    conclude_beside(story, state.to_act)
    return story


_CALLABLE: Final = WRONG - {"move.transfer_rank"}
_EVENTS: Final[dict[str, Callable[[State, Seat, Move], Event]]] = {
    "attack": _opened,
    "beat": _beaten,
    "throw_in": _thrown_in,
    "transfer": _transferred,
    "show_trump": _shown,
    "take": _take,
    "pass": _passed,
}
# Moves beside the bout: what follows them is not what follows a card.
_BESIDE: Final[dict[str, Callable[[State, Seat, Move, Entropy], Story]]] = {
    "exchange_trump": _exchanged,
    "call": _called,
}
