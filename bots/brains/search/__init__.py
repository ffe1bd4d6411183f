"""Searching for a move: a fast simulator, what a seat knows, roll-outs, trees, exact endgames.

Everything here is for thinking only. The rules of the table stay in `games.rules`; the simulator
is tested to be equal to them, move by move, for every ruleset that it claims.
"""
