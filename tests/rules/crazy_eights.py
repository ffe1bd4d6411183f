"""Crazy eights as OpenSpiel plays it, in our words: its eights are our queens, and the reverse."""

from typing import Final

import pyspiel

from games.rules.cards import Card, CardSet, Suit, to_set

WILD: Final = "Q"
_RANKS: Final = "234567Q9TJ8KA"
_SUITS: Final = "CDHS"
_CARDS: Final = [rank + suit for rank in _RANKS for suit in _SUITS]
# Its actions by number: the cards, then these.
_NAMES: Final = [*_CARDS, "draw", "pass", *(f"name {suit}" for suit in _SUITS)]
_NUMBERS: Final = {name: number for number, name in enumerate(_NAMES)}
_DEALER: Final = len(_CARDS)
_NO_END: Final = 1_000_000


class Eights:
    """One game. Chance, too, is told what to do."""

    def __init__(self, players: int, most_draws: int | None, dealer: int) -> None:
        parameters = {
            "players": players,
            "max_draw_cards": most_draws or _NO_END,
            "max_turns": _NO_END,
            "use_special_cards": False,
            "reshuffle": True,
        }
        self.players = players
        self._state = pyspiel.load_game("crazy_eights", parameters).new_initial_state()
        self._state.apply_action(_DEALER + dealer)

    def do(self, name: str) -> None:
        """Take an action that it offers: a card to play or to deal, draw, pass or name a suit."""
        assert name in self.choices
        self._state.apply_action(_NUMBERS[name])

    @property
    def choices(self) -> set[str]:
        """What may be done now, or what chance may deal."""
        return {_NAMES[action] for action in self._state.legal_actions()}

    @property
    def deals(self) -> bool:
        """Whether chance is to deal a card."""
        return bool(self._state.is_chance_node())

    @property
    def to_act(self) -> tuple[int, ...]:
        """Whose turn it is, if anybody's."""
        return () if self._state.is_terminal() else (self._state.current_player(),)

    @property
    def hands(self) -> tuple[CardSet, ...]:
        """What everybody holds."""
        return tuple(
            to_set(_held(self._state.observation_tensor(seat))) for seat in range(self.players)
        )

    @property
    def top(self) -> Card:
        """The card that was played last."""
        return _CARDS[self._state.observation_tensor(0)[104:156].index(1)]

    @property
    def suit(self) -> Suit:
        """The suit to be followed."""
        return _SUITS[self._state.observation_tensor(0)[156:160].index(1)]

    @property
    def deck(self) -> set[Card]:
        """What may be drawn."""
        counts = self._state.get_dealer_deck()
        return {card for card, count in zip(_CARDS, counts, strict=True) if count}


def _held(tensor: list[float]) -> list[Card]:
    """The cards of who sees this: two places for each card, the second for having it."""
    return [card for card, held in zip(_CARDS, tensor[1:104:2], strict=True) if held]
