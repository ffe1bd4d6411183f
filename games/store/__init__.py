"""The log of games: append with an expected version, load, fold, hash chain."""
