"""Finished games judged move by move: what a seat could know, what it could not, what it lost."""
