"""Games between contestants: what brains are shown, and what faults cost them."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from bots.arena.contestants import contestant
from bots.arena.deals import play_deal
from bots.arena.pairing import Meeting
from bots.arena.play import losers_of, play_game
from bots.brains import UnknownBrain, brain, brain_get
from bots.brains.registry import Answer, History, View, forget
from bots.table import Table
from games.rules.events import Result
from games.rules.rulesets.registry import ruleset
from tests.bots import misfits

assert misfits.OUTRIGHT
RULES = ruleset("throw_in", players=2)
Watch = Callable[[View, History, int], None]


@pytest.fixture
def watched() -> Iterator[Callable[[Watch], None]]:
    """Register the brain `watched`, which plays like greedy and tells what it was shown."""

    def register(watch: Watch) -> None:
        @brain("watched", reads_history=True)
        class Watched:
            def choose(
                self, view: View, history: History, rng: random.Random, budget: int
            ) -> Answer:
                watch(view, history, budget)
                return brain_get("greedy").brain.choose(view, history, rng, budget)

    yield register
    forget("watched")


@pytest.mark.parametrize(
    ("label", "name", "version", "budget"),
    [
        ("greedy", "greedy", 2, 77),
        ("greedy@2", "greedy", 2, 77),
        ("greedy:5", "greedy", 2, 5),
        ("random@1:12", "random", 1, 12),
    ],
)
def test_labels(label: str, name: str, version: int, budget: int) -> None:
    one = contestant(label, 77)
    assert (one.label, one.entry.name, one.entry.version, one.budget) == (
        label,
        name,
        version,
        budget,
    )


@pytest.mark.parametrize("label", ["", "greedy@", "greedy:x", "greedy:5@1", "@1"])
def test_other_labels_are_refused(label: str) -> None:
    with pytest.raises(ValueError, match="not a brain"):
        contestant(label)


@pytest.mark.parametrize("label", ["nobody", "greedy@99"])
def test_unknown_brains_are_refused(label: str) -> None:
    with pytest.raises(UnknownBrain):
        contestant(label)


def test_a_game_follows_from_its_seed() -> None:
    players = (contestant("greedy"), contestant("random"))
    games = [play_game(RULES, players, seed) for seed in ("a", "a", "b")]
    assert games[0] == games[1] != games[2]


def test_the_deal_does_not_depend_on_who_plays(watched: Callable[[Watch], None]) -> None:
    hands: list[Any] = []

    def look(view: View, history: History, budget: int) -> None:
        hands.append(history[3]["data"])

    watched(look)
    firsts = []
    for other in ("greedy", "random"):
        hands.clear()
        play_game(RULES, (contestant("watched"), contestant(other)), "deal")
        firsts.append(hands[0])
    assert firsts[0] == firsts[1]


def test_a_brain_that_asks_reads_all_that_its_seat_saw(watched: Callable[[Watch], None]) -> None:
    turns = 0

    def look(view: View, history: History, budget: int) -> None:
        nonlocal turns
        turns += 1
        seat = view["you"]["seat"]
        assert budget == 9
        assert [event["seq"] for event in history] == list(range(1, view["version"] + 1))
        dealt = next(event for event in history if event["type"] == "cards_dealt")
        hands = dealt["data"]["hands"]
        assert set(hands[1 - seat]) == {"??"}
        assert "??" not in hands[seat]

    watched(look)
    play_game(RULES, (contestant("watched:9"), contestant("greedy")), "history")
    assert turns > 5


def test_a_table_tells_the_same_history_however_often_it_is_asked() -> None:
    asked = Table(RULES, ("a", "b"), "history")
    for table in (asked, Table(RULES, ("a", "b"), "history")):
        while table.result is None:
            seat = table.to_act[0]
            if table is asked:
                table.history(seat)
            greedy = brain_get("greedy").brain
            table.play(seat, greedy.choose(table.view(seat), (), random.Random(1), 1))
        whole = [table.history(seat) for seat in (0, 1, None)]
    assert [asked.history(seat) for seat in (0, 1, None)] == whole


@pytest.mark.parametrize("name", ["raiser", "cheater", "babbler", "vandal"])
def test_a_fault_loses_the_game_and_is_counted(name: str) -> None:
    meeting = Meeting(RULES, 2, 0, 1)
    deal = play_deal(meeting, (contestant("greedy"), contestant(name)), "faults")
    assert (deal.score, deal.faults, deal.lost) == (1.0, (0, 2), 0)
    assert deal.fault
    turned = play_deal(meeting, (contestant(name), contestant("greedy")), "faults")
    assert (turned.score, turned.faults, turned.lost) == (0.0, (2, 0), 2)


def test_at_larger_tables_only_the_side_that_broke_it_loses() -> None:
    meeting = Meeting(ruleset("throw_in", players=3), 3, 0, 1)
    deal = play_deal(meeting, (contestant("raiser"), contestant("raiser")), "faults")
    assert (deal.games, sum(deal.faults), deal.draws) == (6, 6, 0)
    assert deal.score == deal.faults[1] / 6


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_equals_share_the_points_of_a_deal(seats: int) -> None:
    meeting = Meeting(ruleset("throw_in", players=seats), seats, 0, 1)
    pool = (contestant("greedy"), contestant("greedy:9"))
    deals = [play_deal(meeting, pool, f"equal.{number}") for number in range(3)]
    assert [deal.score for deal in deals] == [0.5] * 3


def test_losers() -> None:
    places = ((0,), (1,))
    lost = {"draw": False, "winner": None, "places": places, "reason": "played_out"}
    assert losers_of(Result(durak=1, **lost)) == (1,)
    assert losers_of(Result(durak=(0, 2), **lost)) == (0, 2)
    assert losers_of(Result(durak=None, **lost)) == ()


def test_a_team_of_both_sides_costs_both_half() -> None:
    meeting = Meeting(ruleset("partners", players=4), 4, 0, 1)
    deal = play_deal(meeting, (contestant("greedy"), contestant("random")), "team")
    assert (deal.games, deal.draws, sum(deal.faults)) == (8, 0, 0)
    assert 0 < deal.score < 1
