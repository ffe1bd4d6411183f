"""Random games of OpenSpiel's crazy eights beside ours, set to its rules as far as they go.

Ours deals and says which card is drawn, theirs follows. Before each move both must offer the same,
and after it every card must lie in the same place. What differs is declared here and counted. Each
choice that only theirs offers is worked out from the cards, so that one too few fails as well.

Points differ altogether and are left out; none of these games ends because everybody passes.
"""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import pytest

from games.rules import engine
from games.rules.cards import SUITS, Card, CardSet, to_cards
from games.rules.events import CardsDealt, CardsDrawn, DiscardRecycled, Event
from games.rules.moves import Move
from games.rules.rulesets.registry import ruleset
from games.rules.shedding.state import DRAWN
from games.rules.shuffle import Entropy
from games.rules.state import FINISHED
from tests.rules.crazy_eights import WILD, Eights


class Declared(NamedTuple):
    """A difference: what it is, and how often the games below meet it by each rule of drawing."""

    why: str
    one: int = 0
    until_playable: int = 0


SEEDS: Final = 50
OPTIONS: Final[dict[str, Any]] = {
    "deck_size": 52,
    "starter": "deck_top",
    "starter_effect": False,
    "first_player": "dealer_left",
    "effects": {},
    "draw_until_recycles": True,
    "max_moves": 10_000,
}
# Theirs may pass once it has drawn as many cards as a turn allows: here one, or all there are.
DRAWN_CARD: Final = {"one": "may_play", "until_playable": "must_play"}
MOST_DRAWS: Final = {"one": 1, "until_playable": None}
ALIKE: Final = {
    "one": {
        "states": 8676,
        "play": 4409,
        "draw": 2233,
        "pass": 1847,
        "cards drawn": 2233,
        "turned over alike": 5,
    },
    "until_playable": {
        "states": 11685,
        "play": 8630,
        "draw": 2873,
        "pass": 6,
        "cards drawn": 7753,
        "turned over alike": 137,
    },
}
DECLARED: Final = {
    "eight opened": Declared("theirs puts it back and opens another card; ours leaves it", 13, 13),
    "draws at will": Declared("theirs may draw with a card that fits; ours plays", 3898, 8030),
    "passes at will": Declared("the same where nothing is left to draw", 0, 8),
    "plays another": Declared("after a draw any card that fits, not only the one drawn", 140, 543),
    "asked between": Declared("theirs draws each card in a move; ours all up to one", 0, 4887),
    "passes by itself": Declared("theirs must say so if all it drew does not fit", 0, 4),
    "names nothing": Declared("in ours an eight may stand for its own suit", 80, 205),
    "turned over before": Declared("theirs at the last draw, ours at the next one", 2, 65),
    "later discards": Declared("so ours may shuffle more cards: the game is left", 0, 11),
}


class Beside:
    """One game on both sides, and what it showed."""

    def __init__(self, drawing: str, players: int, seed: int) -> None:
        options = {
            "deal": 7 if players == 2 else 5,
            "draw_rule": drawing,
            "drawn_card": DRAWN_CARD[drawing],
            "recycle": "shuffle" if seed % 2 else "flip",
        }
        self.rules: Any = ruleset("mau_mau", OPTIONS | options, players).rules
        self.found: Counter[str] = Counter()
        self.rng = random.Random(seed)
        self.chance = Entropy(seed.to_bytes(32, "big"), "eights", (b"",) * players)
        self.events = engine.start(self.rules, players, self.chance)
        self.state: Any = engine.fold(engine.empty_state(self.rules, players), self.events)
        self.theirs = Eights(players, MOST_DRAWS[drawing], self.state.dealer)
        # What theirs may draw.
        self.deck: set[Card] = set(self.state.talon)

    def play(self) -> Counter[str]:
        """Deal, and play to the end or until the next card cannot be the same."""
        going = self.deal()
        while going:
            self.compare()
            going = self.state.phase != FINISHED and self.turn()
        return self.found

    def deal(self) -> bool:
        """Deal to theirs as ours has dealt; whether both opened the same card."""
        hands = next(event.hands for event in self.events if isinstance(event, CardsDealt))
        first = self.state.dealer + 1
        for round_ in zip(*hands[first:], *hands[:first], strict=True):
            for card in round_:
                self.theirs.do(card)
        opened = self.state.pile[0]
        self.theirs.do(opened)
        assert self.theirs.deals == (opened[0] == WILD)
        self.found["eight opened"] += self.theirs.deals
        return not self.theirs.deals

    def compare(self) -> None:
        """Every place of a card, the suit to follow, and whose turn it is."""
        state, theirs = self.state, self.theirs
        assert theirs.hands == state.hands
        assert theirs.top == state.pile[-1]
        assert theirs.suit == (state.named_suit or state.pile[-1][1])
        assert theirs.deck == self.deck
        assert theirs.to_act == state.to_act
        self.found["states"] += 1

    def turn(self) -> bool:
        """Any move that both offer; whether the game can go on."""
        seat = self.state.to_act[0]
        patterns = engine.legal_moves(self.state, seat)
        ours = {choice for pattern in patterns for choice in pattern.cards or [pattern.type]}
        more = dict(self.only_theirs(seat))
        assert not ours & more.keys()
        assert self.theirs.choices == ours | more.keys()
        self.found.update(set(more.values()))
        choice = self.rng.choice(sorted(ours))
        if choice == "draw":
            return self.draw(seat)
        self.theirs.do(choice)
        if choice == "pass":
            self.move(seat, Move("pass"))
        else:
            self.lay(seat, choice)
        return True

    def only_theirs(self, seat: int) -> Iterator[tuple[str, str]]:
        """What theirs offers beyond ours, and as which difference."""
        drawn = self.state.phase == DRAWN
        fitting = [card for card in to_cards(self.state.hands[seat]) if self.fits(card)]
        if drawn:
            yield from ((card, "plays another") for card in fitting if card != self.state.drawn)
        stuck = all(card[0] == WILD for card in fitting)
        if not stuck and not (drawn and self.rules.draw_rule == "one"):
            yield ("draw", "draws at will") if self.deck else ("pass", "passes at will")

    def fits(self, card: Card) -> bool:
        """Whether a card may follow, by the rules of both."""
        return card[0] in (WILD, self.theirs.top[0]) or card[1] == self.theirs.suit

    def lay(self, seat: int, card: Card) -> None:
        """Ours after theirs has played a card; an eight names a suit, unless it ended the game."""
        suit = None
        if card[0] == WILD and self.theirs.to_act:
            assert self.theirs.choices == {f"name {name}" for name in SUITS}
            suit = self.rng.choice([None, *SUITS])
            self.theirs.do(f"name {suit or card[1]}")
            self.found["names nothing"] += suit is None
        self.move(seat, Move("play", cards=(card,), suit=suit))
        self.turn_over(self.state.talon, self.state.pile)

    def move(self, seat: int, move: Move) -> tuple[Event, ...]:
        """A move of ours."""
        played = engine.play(self.state, seat, move, self.chance)
        self.state = played.state
        self.found[move.type] += 1
        return played.events

    def draw(self, seat: int) -> bool:
        """Let theirs draw, card by card, what ours has drawn; whether it could."""
        before = state = self.state
        events = self.move(seat, Move("draw"))
        for event in events:
            if isinstance(event, DiscardRecycled):
                alike = self.deck == {*event.cards}
                self.found["turned over alike" if alike else "turned over before"] += 1
            for place, card in enumerate(event.cards if isinstance(event, CardsDrawn) else (), 1):
                self.stuck("draw", before.hands[seat])
                if not self.drawn(card):
                    return False
                self.turn_over(state.talon[place:], state.pile)
            state = engine.evolve(state, event)
        drawn = sum(len(event.cards) for event in events if isinstance(event, CardsDrawn))
        self.found["asked between"] += drawn - 1
        if self.state.to_act != (seat,):
            self.stuck("pass", before.hands[seat])
            self.found["passes by itself"] += 1
        return True

    def stuck(self, choice: str, hand: CardSet) -> None:
        """The only thing that theirs can do, but for an eight."""
        assert self.theirs.choices == {choice, *(c for c in to_cards(hand) if c[0] == WILD)}
        self.theirs.do(choice)

    def drawn(self, card: Card) -> bool:
        """Let theirs draw a card, if it can."""
        assert self.theirs.deals
        assert self.theirs.choices == self.deck
        if card in self.deck:
            self.theirs.do(card)
            self.deck.remove(card)
            self.found["cards drawn"] += 1
            return True
        assert self.rules.recycle == "shuffle"
        self.found["later discards"] += 1
        return False

    def turn_over(self, talon: tuple[Card, ...], pile: tuple[Card, ...]) -> None:
        """As soon as nothing is left to draw, theirs shuffles all that lies under the top card."""
        if not self.deck:
            self.deck = {*talon, *pile[:-1]}


@pytest.mark.parametrize("drawing", DRAWN_CARD)
def test_both_offer_and_do_the_same_but_for_what_is_declared(drawing: str) -> None:
    found: Counter[str] = Counter()
    for seed in range(SEEDS):
        for players in (2, 3, 4, 5):
            found += Beside(drawing, players, seed).play()
    declared = {name: getattr(each, drawing) for name, each in DECLARED.items()}
    assert found == Counter(declared | ALIKE[drawing])
