"""RLCard's `uno`: a shedding game in Python, in the environment that it gives to learners.

What makes a game of it comparable with one of mau-mau between brains:

- two players, who see their own view of the table, encoded anew for each move, and the legal moves;
- cards are followed by colour or rank, others make the next player draw or miss a turn;
- a move is one decision of one player; a game begins with the deal and ends with the result;
- players choose at random among what they are offered (RLCard's own `RandomAgent`).

What differs: 108 cards; a view is a small array of numbers in place of a JSON document.
"""

from typing import Final

import rlcard
from rlcard.agents import RandomAgent

PLAYERS: Final = 2
_TABLE = rlcard.make("uno", config={"seed": 1})
_TABLE.set_agents([RandomAgent(num_actions=_TABLE.num_actions) for _ in range(PLAYERS)])


def playout() -> int:
    """Play a game to its end; how many moves that took."""
    states_and_moves, _ = _TABLE.run(is_training=False)
    return sum((len(one) - 1) // 2 for one in states_and_moves)
