"""What follows a move: the bout goes on, closes, hands are refilled, the game ends."""

from collections.abc import Iterator

from msgspec.structs import force_setattr

from games.rules.bout.evolve import evolve
from games.rules.bout.seating import active_after, circle_from, next_thrower, room
from games.rules.cards import Card
from games.rules.events import (
    BoutDiscarded,
    BoutTaken,
    Event,
    GameFinished,
    HandReplenished,
    Next,
    Seat,
    SeatWentOut,
)
from games.rules.scoring import draw_result, result_of
from games.rules.state import ATTACK, DEFEND, FINISHED, TAKE, THROW_IN, State


class Story:
    """The events of one move as they are told, and the state that they lead to."""

    def __init__(self, state: State, event: Event) -> None:
        self.state = state
        self.events: list[Event] = []
        self.tell(event)

    def tell(self, event: Event) -> None:
        """Add an event."""
        self.events.append(event)
        self.state = evolve(self.state, event)

    def end(self, follows: Next) -> tuple[Event, ...]:
        """All events, the last of which says what follows."""
        # The event was made in this move and nobody else has seen it: it may still be completed.
        force_setattr(self.events[-1], "next", follows)
        return tuple(self.events)


def conclude(story: Story) -> tuple[Event, ...]:
    """Tell everything that follows the first event of a move, up to the next decision."""
    follows = going_on(story.state) or _close_bout(story)
    if follows.phase != FINISHED and story.state.moves >= story.state.rules.max_moves:
        follows = _draw(story, "max_moves")
    return story.end(follows)


def going_on(state: State) -> Next | None:
    """The next decision of the bout on the table, or None if the bout is over."""
    if state.phase == TAKE:
        may_add = state.rules.throw_in != "never"
        return _throw_in_turn(state, TAKE) if may_add else None
    if any(pair.beat is None for pair in state.table):
        return _turn(state, DEFEND, state.defender)
    return _throw_in_turn(state, THROW_IN) if state.rules.throw_in == "always" else None


def _throw_in_turn(state: State, phase: str) -> Next | None:
    seat = next_thrower(state) if room(state) > 0 else None
    return None if seat is None else _turn(state, phase, seat)


def _turn(state: State, phase: str, seat: Seat | None) -> Next:
    to_act = () if seat is None else (seat,)
    return Next(phase, to_act, state.attacker, state.defender)


def _close_bout(story: Story) -> Next:
    state = story.state
    taken = state.phase == TAKE
    cards = tuple(_cards_on_table(state))
    defender = state.defender or 0
    story.tell(BoutTaken(seat=defender, cards=cards) if taken else BoutDiscarded(cards=cards))
    _refill(story)
    _let_out(story)
    left = [seat for seat in range(state.seats) if seat not in story.state.out]
    if len(left) <= 1:
        return _finish(story, left)
    opener = active_after(story.state, defender) if taken or defender not in left else defender
    return _open_attack(story, opener)


def _cards_on_table(state: State) -> Iterator[Card]:
    for pair in state.table:
        yield pair.attack
        if pair.beat is not None:
            yield pair.beat


def _refill(story: Story) -> None:
    for seat in _refill_order(story.state):
        state = story.state
        need = state.rules.hand_size - state.hands[seat].bit_count()
        if need > 0 and state.talon and seat not in state.out:
            drawn = state.talon[:need]
            open_card = state.turn_up if state.turn_up in drawn else None
            story.tell(HandReplenished(seat=seat, cards=drawn, open_card=open_card))


def _refill_order(state: State) -> tuple[Seat, ...]:
    order = circle_from(state, state.attacker or 0)
    if state.rules.refill_order == "clockwise_from_leader":
        return order
    return (*(seat for seat in order if seat != state.defender), state.defender or 0)


def _let_out(story: Story) -> None:
    """Seats without cards and without a talon leave, by the moment of their last card (G9)."""
    state = story.state
    if state.talon:
        return
    leaving = [seat for seat in state.emptied if not state.hands[seat]]
    shared = state.rules.draw_allowed and len(state.out) + len(leaving) == state.seats
    for step, seat in enumerate(leaving):
        place = len(state.out) + 1 + (0 if shared else step)
        story.tell(SeatWentOut(seat=seat, place=place))


def _finish(story: Story, left: list[Seat]) -> Next:
    story.tell(GameFinished(result=result_of(story.state, left)))
    return Next(FINISHED)


def _draw(story: Story, reason: str) -> Next:
    story.tell(GameFinished(result=draw_result(story.state, reason)))
    return Next(FINISHED)


def _open_attack(story: Story, opener: Seat) -> Next:
    state = story.state
    times = state.rules.repetition_draw
    if times is not None and state.seen.count((opener, *state.hands)) + 1 >= times:
        return _draw(story, "repetition")
    return Next(ATTACK, (opener,), opener, active_after(state, opener))
