"""Whole tables on the real service: four people over HTTP and two bots, to the end.

`python -m tests.sixes --games 20 --seed 1` lets that many games go on at once. What the people send
is cut again and again, and one at each table walks away after a few moves, so that the clock and
then a bot act for him. In the end every result is counted again from the exported logs.
"""
