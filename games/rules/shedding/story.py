"""The events of one move as they are told, and the state that they lead to."""

from msgspec.structs import force_setattr

from games.rules.cards import Card
from games.rules.events import Event, Next
from games.rules.shedding.evolve import FOLDS, follow
from games.rules.shedding.state import SheddingState
from games.rules.shuffle import Entropy


class Story:
    """What has been told of a move so far."""

    def __init__(self, state: SheddingState, entropy: Entropy) -> None:
        self.state = state
        self.events: list[Event] = []
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

    def turned_over(self) -> tuple[Card, ...]:
        """The pile under its top card as the new talon: what was played first is drawn first."""
        cards = self.state.pile[:-1]
        if self.state.rules.recycle == "flip":
            return cards
        return self._entropy.shuffled(cards, f"recycle.{self.state.moves}.{len(self.events)}")
