"""What cards do to the next seat: a table of kinds, one function for each."""

from collections.abc import Callable
from typing import Final

from games.rules.cards import Card
from games.rules.events import CardsDrawn, DiscardRecycled, Next, Penalty, Seat, SeatSkipped
from games.rules.shedding.seating import next_after, others_after
from games.rules.shedding.state import PLAY, SheddingState
from games.rules.shedding.story import Story
from games.rules.shedding.tables import tables

Effect = Callable[[Story, Seat, int], None]


def effect_of(state: SheddingState, cards: tuple[Card, ...]) -> Penalty:
    """What these cards, laid together, do to the next seat (A-14, A-19, C5-11, G16)."""
    effects = tables(state.rules).effects
    if len(cards) == 1:
        return effects[cards[0]]
    found = [effects[card] for card in cards]
    each = cards[0][0] == "A" and state.rules.ace_multi == "per_ace_capped"
    skip = (sum if each else max)(effect.skip for effect in found)
    return Penalty(sum(effect.draw for effect in found), skip)


def passed_on(state: SheddingState, effect: Penalty) -> Penalty | None:
    """The penalty that the next seat may pass on in its turn, where that is agreed."""
    if state.rules.stacking == "none":
        return None
    before = state.pending
    if before is not None:
        effect = Penalty(before.draw + effect.draw, max(before.skip, effect.skip))
    elif not (effect.draw or effect.skip):
        return None
    # Nobody misses two turns for one penalty.
    return Penalty(effect.draw, min(effect.skip, state.seats - len(state.out) - 1))


def suffer(story: Story, seat: Seat, penalty: Penalty) -> Next:
    """Let a penalty act on the seats after `seat`; who plays then (3.7, 24)."""
    for kind, effect in EFFECTS.items():
        if amount := getattr(penalty, kind):
            effect(story, seat, amount)
    return Next(PLAY, (_follower(story.state, seat, penalty.skip),))


def take(story: Story, seat: Seat, count: int) -> None:
    """A seat draws `count` cards, or as many as there are (3.7, 24)."""
    while count > 0 and (story.state.talon or len(story.state.pile) > 1):
        if not story.state.talon:
            recycle(story, seat)
        cards = story.state.talon[:count]
        story.tell(CardsDrawn(seat=seat, cards=cards, penalty=True))
        count -= len(cards)


def recycle(story: Story, seat: Seat) -> None:
    """The pile under its top card becomes the talon (A-13, C5-10, G13)."""
    story.tell(DiscardRecycled(seat=seat, cards=story.turned_over()))


def _draw(story: Story, seat: Seat, count: int) -> None:
    """The next seat draws."""
    take(story, next_after(story.state, seat), count)


def _skip(story: Story, seat: Seat, count: int) -> None:
    """The next seats miss their turns, each of them once at the most (G16, 3.7, 21)."""
    for other in others_after(story.state, seat)[:count]:
        story.tell(SeatSkipped(seat=other))


def _follower(state: SheddingState, seat: Seat, skip: int) -> Seat:
    others = others_after(state, seat)
    circle = others if seat in state.out else [*others, seat]
    return circle[min(skip, len(others)) % len(circle)]


EFFECTS: Final[dict[str, Effect]] = {"draw": _draw, "skip": _skip}
