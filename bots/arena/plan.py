"""What is to be played, in units that any process can play in any order."""

from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from typing import Final, NamedTuple

import msgspec

from bots.arena import BUDGET
from bots.arena.contestants import Contestant, contestant
from bots.arena.deals import DealResult, play_deal
from bots.arena.pairing import Meeting, line_ups, meetings
from bots.arena.sprt import Sprt

# Deals of a unit. The test looks at the scores after each, so this belongs to the results.
UNIT: Final = 10


class Plan(msgspec.Struct, frozen=True):
    """A run: the brains' labels, at which tables they meet, so many deals for each pair.

    `alone`: the first brain alone against each of the others. With `sprt` a meeting ends as soon
    as the test does. `modules` register further brains.
    """

    brains: tuple[str, ...]
    rulesets: tuple[str, ...] = ("throw_in",)
    sizes: tuple[int, ...] = (2,)
    deals: int = 500
    seed: str = "arena"
    budget: int = BUDGET
    alone: bool = False
    sprt: Sprt | None = None
    modules: tuple[str, ...] = ()


class Unit(NamedTuple):
    """Some deals of one meeting, from `begin` to before `end`."""

    meeting: int
    begin: int
    end: int


class Entrants(NamedTuple):
    """The pool and the meetings of a plan."""

    pool: tuple[Contestant, ...]
    meetings: tuple[Meeting, ...]


@lru_cache(maxsize=8)
def entrants(plan: Plan) -> Entrants:
    """Who plays and who meets whom.

    Raises UnknownBrain, UnknownRuleset, InvalidOptions, and ValueError for a brain that cannot
    play a ruleset of the plan, for less than two brains or no deal.
    """
    for module in plan.modules:
        import_module(module)
    if len(plan.brains) < 2 or plan.deals < 1:
        raise ValueError("an arena needs two brains and a deal")
    pool = tuple(contestant(label, plan.budget) for label in plan.brains)
    met = tuple(meetings(len(pool), plan.rulesets, plan.sizes, alone=plan.alone))
    for meeting in met:
        for one in (pool[meeting.first], pool[meeting.second]):
            if meeting.rules.family not in one.entry.families:
                raise ValueError(f"{one.label} does not play {meeting.rules.id}")
    return Entrants(pool, met)


def units(plan: Plan) -> Iterator[Unit]:
    """All of it, one meeting after the other."""
    for meeting in range(len(entrants(plan).meetings)):
        for begin in range(0, plan.deals, UNIT):
            yield Unit(meeting, begin, min(begin + UNIT, plan.deals))


def games_of(plan: Plan, unit: Unit) -> int:
    """How many games a unit has."""
    meeting = entrants(plan).meetings[unit.meeting]
    return (unit.end - unit.begin) * sum(1 for _ in line_ups(meeting))


def play_unit(plan: Plan, unit: Unit) -> list[DealResult]:
    """Play a unit: the same in whichever process, and all pairs are dealt the same cards."""
    pool, met = entrants(plan)
    meeting = met[unit.meeting]
    table = f"{plan.seed}|{meeting.rules.id}|{meeting.seats}"
    return [play_deal(meeting, pool, f"{table}|{deal}") for deal in range(unit.begin, unit.end)]
