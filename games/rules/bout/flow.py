"""What follows a move: the bout goes on, closes, hands are refilled, the game ends."""

from functools import lru_cache

from msgspec.structs import force_setattr

from games.rules.bout.evolve import FOLDS, follow
from games.rules.bout.seating import (
    active_after,
    circle_from,
    defender_against,
    throwers_now,
)
from games.rules.cards import Card, to_cards, to_set
from games.rules.events import (
    BoutDiscarded,
    BoutTaken,
    Event,
    GameFinished,
    HandReplenished,
    Next,
    Seat,
    SeatWentOut,
    Slots,
)
from games.rules.scoring import draw_result, is_over, result_of
from games.rules.shuffle import Entropy
from games.rules.state import ATTACK, DEFEND, FINISHED, TAKE, THROW_IN, State


class Story:
    """The events of one move as they are told, and the state that they lead to."""

    __slots__ = ("_entropy", "events", "state")

    def __init__(self, state: State, event: Event, entropy: Entropy) -> None:
        self.state = FOLDS[type(event)](state, event)
        self.events: list[Event] = [event]
        self._entropy = entropy

    def tell(self, event: Event) -> None:
        """Add an event."""
        self.events.append(event)
        self.state = FOLDS[type(event)](self.state, event)

    def end(self, follows: Next) -> None:
        """Let the last event say what follows, and follow it."""
        # The event was made in this move and nobody else has seen it: it may still be completed.
        force_setattr(self.events[-1], "next", follows)
        self.state = follow(self.state, follows)

    def fresh_slots(self, seat: Seat, gained: tuple[Card, ...]) -> Slots | None:
        """The slots of a hand face out after it has gained cards, in an order nobody can guess."""
        state = self.state
        if not state.slots:
            return None
        hand = to_cards(state.hands[seat] | to_set(gained))
        label = f"slots.{state.moves}.{len(self.events)}"
        base = state.slot_base[seat] + len(state.slots[seat])
        return Slots(base, self._entropy.shuffled(hand, label))


def conclude(story: Story) -> None:
    """Tell everything that follows the first event of a move, up to the next decision."""
    follows = going_on(story.state)
    if follows is None:
        state = story.state
        follows = _close_bout(story, state.defender if state.phase == TAKE else None)
    _end(story, follows)


def conclude_beside(story: Story, to_act: tuple[Seat, ...]) -> None:
    """End a move that leaves the bout, and whose turn it is, as they are."""
    _end(story, _turn(story.state, story.state.phase, to_act))


def punish(story: Story, offender: Seat) -> None:
    """Close the bout after a wrong play face out: the offender takes the table (G5, G6)."""
    _end(story, _close_bout(story, offender))


def _end(story: Story, follows: Next) -> None:
    state = story.state
    if state.moves >= state.rules.max_moves and follows.phase != FINISHED:
        follows = _draw(story, "max_moves")
    story.end(follows)


def due(state: State) -> tuple[Seat, ...]:
    """Who may act in a position of this phase; nobody if the bout should be over already."""
    if state.phase == ATTACK:
        return () if state.attacker is None else (state.attacker,)
    follows = going_on(state)
    return () if follows is None else follows.to_act


def going_on(state: State) -> Next | None:
    """The next decision of the bout on the table, or None if the bout is over."""
    when = state.rules.throw_in
    if state.phase == TAKE:
        return None if when == "never" else _additions(state, TAKE)
    for pair in state.table:
        if pair[1] is None:
            return _defence(state)
    return _additions(state, THROW_IN) if when == "always" else None


def _defence(state: State) -> Next:
    adding = _throwers_now(state) if state.rules.throw_in_timing == "anytime" else ()
    return _turn(state, DEFEND, (state.defender or 0, *adding))


def _additions(state: State, phase: str) -> Next | None:
    adding = _throwers_now(state)
    return _next(phase, adding, state.attacker, state.defender) if adding else None


def _throwers_now(state: State) -> tuple[Seat, ...]:
    """Who may add cards now: one seat after the other, or at any time all at once (3.7, 4)."""
    if state.limit <= len(state.table):
        return ()
    able = throwers_now(state)
    return able if state.rules.throw_in_timing == "anytime" else able[:1]


def _turn(state: State, phase: str, to_act: tuple[Seat, ...]) -> Next:
    return _next(phase, to_act, state.attacker, state.defender)


@lru_cache(maxsize=1024)
def _next(
    phase: str, to_act: tuple[Seat, ...], attacker: Seat | None, defender: Seat | None
) -> Next:
    return Next(phase, to_act, attacker, defender)


def _close_bout(story: Story, taker: Seat | None) -> Next:
    """Clear the table, refill, let out, open the next bout; nobody takes what was beaten."""
    cards = tuple([card for pair in story.state.table for card in pair if card is not None])
    defender = story.state.defender or 0
    if taker is None:
        story.tell(BoutDiscarded(cards=cards))
    else:
        slots = story.fresh_slots(taker, cards)
        story.tell(BoutTaken(seat=taker, cards=cards, slots=slots))
    if story.state.talon:
        _refill(story)
    if story.state.talon:
        return _open_next(story, taker, defender)
    _let_out(story)
    left = [seat for seat in range(story.state.seats) if seat not in story.state.out]
    if is_over(story.state, left):
        return _finish(story, left)
    return _open_next(story, taker, defender)


def _open_next(story: Story, taker: Seat | None, defender: Seat) -> Next:
    """The defender leads if he beat everything and is still in the game (B-11, B-12)."""
    leads = taker != defender and defender not in story.state.out
    return _open_attack(story, defender if leads else active_after(story.state, defender))


def _refill(story: Story) -> None:
    size = story.state.rules.hand_size
    for seat in _refill_order(story.state):
        state = story.state
        need = size - state.hands[seat].bit_count()
        if need > 0 and state.talon and seat not in state.out:
            drawn = state.talon[:need]
            open_card = state.turn_up if state.turn_up in drawn else None
            slots = story.fresh_slots(seat, drawn)
            drawing = HandReplenished(seat=seat, cards=drawn, open_card=open_card, slots=slots)
            story.tell(drawing)


def _refill_order(state: State) -> tuple[Seat, ...]:
    order = circle_from(state, state.attacker or 0)
    if state.rules.refill_order == "clockwise_from_leader":
        return order
    return _last(order, state.defender or 0)


@lru_cache(maxsize=64)
def _last(order: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    return (*(other for other in order if other != seat), seat)


def _let_out(story: Story) -> None:
    """Seats without cards and without a talon leave, by the moment of their last card (G9)."""
    state = story.state
    leaving = [seat for seat in state.emptied if not state.hands[seat]]
    shared = state.rules.draw_allowed and len(state.out) + len(leaving) == state.seats
    for step, seat in enumerate(leaving):
        place = len(state.out) + 1 + (0 if shared else step)
        story.tell(SeatWentOut(seat=seat, place=place))


def _finish(story: Story, left: list[Seat]) -> Next:
    story.tell(GameFinished(result=result_of(story.state, left)))
    return Next(FINISHED)


def _draw(story: Story, reason: str) -> Next:
    story.tell(GameFinished(result=draw_result(story.state.seats, story.state.out, reason)))
    return Next(FINISHED)


def _open_attack(story: Story, opener: Seat) -> Next:
    state = story.state
    times = state.rules.repetition_draw
    if times and state.seen and state.seen.count((opener, *state.hands)) + 1 >= times:
        return _draw(story, "repetition")
    return _next(ATTACK, (opener,), opener, defender_against(state, opener))
