"""OpenSpiel's `crazy_eights`: a shedding game in C++, played through its Python interface.

What makes a game of it comparable with one of mau-mau:

- four players; cards are followed by suit or rank, a card that always fits names the suit, others
  make the next player draw or miss a turn; the pile is used again when nothing is left to draw;
- a move is one decision of one player; what chance decides, the deal included, is not counted;
- a play-out begins with the deal and ends with the result;
- players choose at random among what they are offered.

What differs: 52 cards, which its players draw one by one, and whether they have to or not, so that
more of its decisions are easy ones; an eight and its suit are two decisions; a game ends after a
hundred cards. It changes itself in place, and says nothing of what happened.
"""

import random
from typing import Final

import pyspiel

from bench.yardstick import below

PLAYERS: Final = 4
_GAME: Final = pyspiel.load_game(
    "crazy_eights", {"players": PLAYERS, "use_special_cards": True, "reshuffle": True}
)


def playout(rng: random.Random) -> int:
    """Play a game to its end; how many moves that took."""
    state, moves = _GAME.new_initial_state(), 0
    while not state.is_terminal():
        moves += not state.is_chance_node()
        actions = state.legal_actions()
        state.apply_action(actions[below(len(actions), rng)])
    return moves
