"""The PyPI package `durakgame`: a Durak for two in plain Python, with a loop that plays a game.

What makes a game of it comparable with one of ours:

- two players, 36 cards, attacks of one card, throwing in until the defender's hand or the limit;
- a move is one decision of one player. durakgame's history has one entry for each, and so does
  each move of ours: an attack, a beat, a card thrown in, a take, a pass;
- a play-out begins with the deal and ends with the result;
- players choose at random. Nobody adds cards to a bout that is being taken: durakgame offers that
  as one decision over all combinations of cards and then keeps a copy of each card in the giver's
  hand, so that its packs grow to hundreds of cards and its games never end.

What differs: ours checks every move and says what happened in events; durakgame trusts the player
and changes itself in place.
"""

import random

import durakgame


class RandomPlayer:
    """Any of the options offered, as `durakgame.Player` wants it."""

    def __init__(self, rng: random.Random) -> None:
        self.hand: list[durakgame.Card] = []
        self._rng = rng

    def nextMove(  # noqa: N802 (durakgame's name)
        self, _state: durakgame.GameState, options: list[durakgame.Move]
    ) -> int:
        """The index of a move; the first way to finish a bout is to add nothing."""
        if isinstance(options[0], durakgame.FinishingMove):
            return 0
        return below(len(options), self._rng)


def below(limit: int, rng: random.Random) -> int:
    """A random number below `limit`, for players of both engines: drawn fast, near enough even."""
    return int(rng.random() * limit)


def playout(rng: random.Random) -> int:
    """Play a game to its end; how many moves that took."""
    history = durakgame.play(RandomPlayer(rng), RandomPlayer(rng))
    return len(history.p1Moves) + len(history.p2Moves)
