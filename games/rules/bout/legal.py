"""Legal bout moves as patterns: what a seat may play, never one entry per combination."""

from functools import lru_cache

from games.rules.bout.beating import attack_ranks, beating, may_take, throw_in_ranks
from games.rules.bout.held import slot_numbers
from games.rules.bout.judge_transfer import early_fault, size_fault
from games.rules.bout.judge_trump import exchange
from games.rules.bout.seating import bout_limit, may_throw_now, room
from games.rules.cards import CARDS, SUIT_MASK, Card, CardSet, by_rank, to_cards
from games.rules.events import Seat
from games.rules.moves import Move
from games.rules.patterns import Pattern
from games.rules.state import ATTACK, DEFEND, State

TAKE_IT = Pattern("take")
PASS_IT = Pattern("pass")
EXCHANGE_IT = Pattern("exchange_trump")
_EVERY_CARD: CardSet = (1 << len(CARDS)) - 1
_EXCHANGE = Move("exchange_trump")


def legal_moves(state: State, seat: Seat) -> tuple[Pattern, ...]:
    """Every legal move of a seat. A move is accepted if and only if a pattern covers it.

    Where wrong plays stand until called, `call` lists every card that others played in this bout,
    right or wrong, for any seat at any time (the one exception). Within a move nobody may act.
    """
    patterns = _turn(state, seat) if seat in state.to_act else []
    if state.plays and state.to_act:
        calls = tuple(play.card for play in state.plays if play.seat != seat)
        patterns += [Pattern("call", cards=calls, min=1, max=1)] if calls else []
    return tuple(patterns)


def _turn(state: State, seat: Seat) -> list[Pattern]:
    if state.phase == ATTACK:
        patterns = _attacks(state, seat)
    elif state.phase == DEFEND and seat == state.defender:
        patterns = _defences(state, seat)
    else:
        patterns = _throw_ins(state, seat)
        patterns.append(PASS_IT)
    if state.rules.trump_exchange != "none" and exchange(state, seat, _EXCHANGE) is None:
        patterns.append(EXCHANGE_IT)
    return patterns


def _attacks(state: State, seat: Seat) -> list[Pattern]:
    hand = state.hands[seat]
    most = min(state.rules.lead_max_cards, bout_limit(state, state.defender or 0))
    if state.slots:
        return [_choice(state, seat, "attack", hand, most)]
    return [_faces("attack", held, most) for held in by_rank(hand)]


def _defences(state: State, seat: Seat) -> list[Pattern]:
    hand = state.hands[seat]
    beaters = beating(state)
    unchecked = _is_unchecked(state)
    patterns = []
    for attack, beat in state.table:
        fitting = hand if unchecked else hand & beaters[attack]
        if beat is None and fitting:
            patterns.append(_choice(state, seat, "beat", fitting, 1, attack))
    if state.rules.transfer:
        patterns += _transfers(state, seat)
    if may_take(state):
        patterns.append(TAKE_IT)
    return patterns


def _transfers(state: State, seat: Seat) -> list[Pattern]:
    if early_fault(state) is not None:
        return []
    hand = state.hands[seat]
    fitting = hand if state.slots else hand & attack_ranks(state)
    most = _most_transferred(state, fitting.bit_count())
    patterns = [_choice(state, seat, "transfer", fitting, most)] if fitting and most else []
    if state.rules.transfer_by_showing_trump and state.trump and size_fault(state, 0) is None:
        trumps = to_cards(fitting & SUIT_MASK[state.trump])
        if trumps and trumps[0] not in state.shown:
            patterns.append(Pattern("show_trump", cards=trumps, min=1, max=1))
    return patterns


def _most_transferred(state: State, held: int) -> int:
    most = 0
    while most < held and size_fault(state, most + 1) is None:
        most += 1
    return most if state.rules.transfer_multi else min(most, 1)


def _throw_ins(state: State, seat: Seat) -> list[Pattern]:
    if not may_throw_now(state, seat) or room(state) <= 0:
        return []
    unchecked = _is_unchecked(state)
    fitting = state.hands[seat] & (_EVERY_CARD if unchecked else throw_in_ranks(state))
    if not fitting:
        return []
    most = 1 if state.rules.throw_in_batch == "one" else room(state)
    return [_choice(state, seat, "throw_in", fitting, most)]


def _is_unchecked(state: State) -> bool:
    """Whether a wrong beat or throw-in is accepted, to be called or punished."""
    return bool(state.slots) or state.rules.enforcement == "catchable"


def _choice(
    state: State, seat: Seat, kind: str, cards: CardSet, most: int, target: Card | None = None
) -> Pattern:
    if state.slots:
        numbers = slot_numbers(state, seat)
        return Pattern(kind, target, slots=numbers, min=1, max=min(most, len(numbers)))
    return _faces(kind, cards, most, target)


@lru_cache(maxsize=16_384)
def _faces(kind: str, cards: CardSet, most: int, target: Card | None = None) -> Pattern:
    faces = to_cards(cards)
    count = len(faces)
    return Pattern(kind, target, faces, min=1, max=min(most, count))
