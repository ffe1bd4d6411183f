"""Legal bout moves as patterns: what a seat may play, never one entry per combination."""

from collections.abc import Iterator

import msgspec

from games.rules.bout.judge import may_take, throw_in_ranks, transfer_fault, transfer_size_fault
from games.rules.bout.seating import bout_limit, room
from games.rules.cards import RANK_MASK, Card, CardSet, Suit, beaters, lowest, ranks_of, to_cards
from games.rules.events import Seat
from games.rules.state import ATTACK, DEFEND, State


class Pattern(msgspec.Struct, frozen=True, omit_defaults=True):
    """A family of legal moves: from `min` to `max` of `cards` (or `slots`), the rest as it stands.

    `first` lists the cards one of which must come first; `suits` those that may be named.
    """

    type: str
    target: Card | None = None
    cards: tuple[Card, ...] | None = None
    slots: tuple[int, ...] | None = None
    first: tuple[Card, ...] | None = None
    min: int | None = None
    max: int | None = None
    suits: tuple[Suit, ...] | None = None
    suit_required: bool | None = None


TAKE_IT = Pattern("take")
PASS_IT = Pattern("pass")


def legal_moves(state: State, seat: Seat) -> tuple[Pattern, ...]:
    """Every legal move of a seat. A move is accepted if and only if a pattern covers it."""
    if seat not in state.to_act:
        return ()
    if state.phase == ATTACK:
        return tuple(_attacks(state, seat))
    if state.phase == DEFEND:
        return tuple(_defences(state, seat))
    return (*_throw_ins(state, seat), PASS_IT)


def _attacks(state: State, seat: Seat) -> Iterator[Pattern]:
    hand = state.hands[seat]
    most = min(state.rules.lead_max_cards, bout_limit(state, state.defender or 0))
    while hand:
        same_rank = hand & RANK_MASK[lowest(hand)]
        yield _choice("attack", same_rank, most)
        hand ^= same_rank


def _defences(state: State, seat: Seat) -> Iterator[Pattern]:
    hand = state.hands[seat]
    beating = beaters(state.trump, None)
    for pair in state.table:
        if pair.beat is None and (fitting := hand & beating[pair.attack]):
            yield Pattern("beat", target=pair.attack, cards=to_cards(fitting), min=1, max=1)
    if state.rules.transfer and (most := _most_transferred(state)):
        fitting = hand & ranks_of((state.table[0].attack,))
        if fitting:
            yield _choice("transfer", fitting, most)
    if may_take(state):
        yield TAKE_IT


def _most_transferred(state: State) -> int:
    if transfer_fault(state) is not None:
        return 0
    most = 0
    while most < 4 and transfer_size_fault(state, most + 1) is None:
        most += 1
    return most if state.rules.transfer_multi else min(most, 1)


def _throw_ins(state: State, seat: Seat) -> Iterator[Pattern]:
    fitting = state.hands[seat] & throw_in_ranks(state)
    if fitting:
        most = 1 if state.rules.throw_in_batch == "one" else room(state)
        yield _choice("throw_in", fitting, most)


def _choice(kind: str, cards: CardSet, most: int) -> Pattern:
    return Pattern(kind, cards=to_cards(cards), min=1, max=min(most, cards.bit_count()))
