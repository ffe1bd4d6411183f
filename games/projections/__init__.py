"""Folds of the logs across games: results, ratings, boards."""
