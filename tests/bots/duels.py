"""Duels as tests need them: in this process, as the arena plays them."""

from typing import Any

from bots.arena.plan import Plan
from bots.arena.report import Score, report_of
from bots.arena.run import run


def duel(first: str, second: str, **more: Any) -> Score:
    """The score of one brain against another; `more` are fields of the plan."""
    plan = Plan(brains=(first, second), **more)
    (score,) = report_of(plan, run(plan)).scores
    return score
