"""Brains against brains: the same deals from every seat, and how sure the scores are.

`manage.py arena` is the command; everything here is pure and needs neither server nor database.
"""

from typing import Final

# The budget of a brain for which none is named, as the workers give it by default.
BUDGET: Final = 400
