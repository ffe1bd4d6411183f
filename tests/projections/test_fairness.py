"""How much a game counts: pure rules, told to the players, the same in a rebuild."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.conf import LazySettings
from hypothesis import given
from hypothesis import strategies as st

from games.models import GameResult, Meeting, Player, Rating, RatingChange
from games.projections.fairness import WHOLE, Limits, Met, Policy, Weight, pairs_of, weights
from games.projections.rating import START, Entry, Skill, rate_game, scaled
from games.projections.rebuild import ratings_rebuild
from games.selectors.result_list import result_list
from tests.projections.test_rebuild import TABLES, rows, silent
from tests.scores import AUTUMN, finished, new_player, new_players, play, result_of

A, B, C = (UUID(int=number) for number in (1, 2, 3))
BOTH = Policy(Limits(3, 2), Limits(1, 1), 40)
numbers = st.integers(0, 8)


def shares(
    met: dict[tuple[UUID, UUID], Met],
    players: Sequence[UUID] = (A, B),
    rules: Policy = BOTH,
    *,
    early: bool = False,
) -> dict[UUID, Weight]:
    """What a game counts for each."""
    return weights(rules, players, met, early=early)


@pytest.mark.parametrize(
    ("before", "weight"),
    [
        (0, WHOLE),
        (2, WHOLE),
        (3, Weight(0.5, "repeated")),
        (4, Weight(0.5, "repeated")),
        (5, Weight(0.0, "repeated")),
        (99, Weight(0.0, "repeated")),
    ],
)
def test_games_of_the_same_two_count_less_and_then_not_at_all(before: int, weight: Weight) -> None:
    assert shares({(A, B): Met(before, 0)}) == {A: weight, B: weight}


@pytest.mark.parametrize(
    ("before", "early", "weight"),
    [
        (0, True, WHOLE),
        (1, True, Weight(0.5, "surrenders")),
        (2, True, Weight(0.0, "surrenders")),
        (2, False, WHOLE),
    ],
)
def test_giving_up_early_counts_less_sooner(before: int, early: bool, weight: Weight) -> None:
    assert shares({(A, B): Met(before, before)}, early=early)[A] == weight


def test_each_player_is_judged_by_those_whom_he_met() -> None:
    found = shares({(A, B): Met(5, 0)}, (A, B, C))
    assert found == {A: Weight(0.5, "repeated"), B: Weight(0.5, "repeated"), C: WHOLE}


@given(st.dictionaries(st.sampled_from(pairs_of((A, B, C))), st.builds(Met, numbers, numbers)))
def test_who_sat_where_does_not_matter_and_more_meetings_never_count_more(met: Any) -> None:
    found = shares(met, (A, B, C), early=True)
    assert found == shares(met, (C, A, B), early=True)
    once_more = {pair: Met(games + 1, given + 1) for pair, (games, given) in met.items()}
    for player, weight in shares(once_more, (A, B, C), early=True).items():
        assert 0 <= weight.share <= found[player].share <= 1
        assert (weight.reason == "") == (weight.share == 1)


@given(numbers, numbers, st.booleans())
def test_rules_that_are_switched_off_do_nothing(games: int, given_up: int, early: bool) -> None:
    met = {(A, B): Met(games, given_up)}
    assert shares(met, rules=Policy(), early=early) == {A: WHOLE, B: WHOLE}
    only = Policy(surrenders=BOTH.surrenders, early_events=40)
    assert shares(met, rules=only, early=False) == {A: WHOLE, B: WHOLE}


@pytest.fixture
def strict(settings: LazySettings) -> None:
    """Three games a day in full, two by half; one surrender in full, one by half."""
    settings.RATING_REPEATS, settings.RATING_SURRENDERS = [3, 2], [1, 1]
    settings.RATING_EARLY_EVENTS = 40


@pytest.mark.django_db
@pytest.mark.usefixtures("strict")
class TestApplied:
    """Games on the ladders."""

    def test_a_sixth_game_of_a_day_moves_nobody(self) -> None:
        ann, bob = new_players(2)
        expected = {ann.id: START, bob.id: START}
        for share in (1.0, 1.0, 1.0, 0.5, 0.5, 0.0):
            play([ann, bob])
            table = [Entry(p.id, expected[p.id], n) for n, p in enumerate((ann, bob), 1)]
            after = rate_game(table)
            expected = {p: scaled(skill, after[p], share) for p, skill in expected.items()}
        assert self.skills("throw_in") == self.skills("overall") == expected
        assert Rating.objects.get(player=ann, ladder="throw_in").games == 5
        assert RatingChange.objects.filter(player=ann, ladder="throw_in").count() == 5

    def test_other_rulesets_count_as_meetings_and_other_days_do_not(self) -> None:
        ann, bob = new_players(2)
        for _ in range(5):
            play([ann, bob], ruleset="simple")
        play([ann, bob])
        assert self.weights(ann)[:2] == [0.0, 0.5]
        play([ann, bob], finished_at=AUTUMN + timedelta(days=1))
        assert self.weights(ann)[0] == 1.0

    def test_the_third_early_surrender_moves_nobody_and_a_long_game_does(self) -> None:
        ann, bob = new_players(2)
        for events in (12, 40, 12):
            self.surrender(ann, bob, events)
        assert self.weights(ann) == [0.0, 0.5, 1.0]
        self.surrender(bob, ann, 41)
        assert self.weights(ann)[0] == 0.5
        assert self.reasons(ann)[:2] == ["repeated", "surrenders"]

    def test_a_third_player_gets_his_whole_share(self) -> None:
        ann, bob, eve = new_players(3)
        for _ in range(5):
            play([ann, bob])
        play([ann, bob, eve])
        assert (self.weights(eve), self.weights(ann)[0]) == ([1.0], 0.5)

    def test_players_are_told(self) -> None:
        ann, bob = new_players(2)
        for minute in range(6):
            play([ann, bob], finished_at=AUTUMN + timedelta(minutes=minute))
        told, _ = result_list(player_id=ann.id, limit=9)
        assert [(row.weight, row.not_rated, row.reduced) for row in told] == [
            (0.0, "repeated", None),
            *[(0.5, None, "repeated")] * 2,
            *[(1.0, None, None)] * 3,
        ]
        assert told[0].rating_after is None
        assert told[1].rating_after is not None

    def test_a_bot_in_two_seats_is_met_once(self) -> None:
        ann, bot = new_player(), new_player(kind="bot")
        play([bot, ann, bot])
        assert Meeting.objects.get().games == 1
        assert GameResult.objects.filter(player=bot, weight=1.0).count() == 2

    def test_a_rebuild_decides_alike_whatever_was_damaged(self, monkeypatch: Any) -> None:
        """Also where games of a day that was put away come late, and batches end within a day."""
        monkeypatch.setattr("games.projections.refold.BATCH", 4)
        ann, bob, eve = new_players(3)
        for number in range(26):
            day = AUTUMN + timedelta(days=number // 7 if number % 9 else 0)
            table = [ann, bob, eve][: 2 + (number % 4 == 3)]
            if number % 5 == 4:
                self.surrender(ann, bob, 20, finished_at=day)
            else:
                play(table, ruleset=("simple", "throw_in")[number % 2], finished_at=day)
        before = rows(*TABLES)
        assert {0.0, 0.5, 1.0} <= {row["weight"] for row in before[0]}
        GameResult.objects.filter(place=1).update(weight=0.25, reduced="repeated")
        GameResult.objects.filter(place=2).update(weight=1.0, reduced="")
        Meeting.objects.filter(games__gt=2).delete()
        ratings_rebuild(silent)
        assert rows(*TABLES) == before
        for ladder in ("simple", "overall"):
            ratings_rebuild(silent, ladders=[ladder])
            assert rows(*TABLES) == before

    def test_switched_off_all_count_and_nobody_is_noted(self, settings: LazySettings) -> None:
        settings.RATING_REPEATS = settings.RATING_SURRENDERS = []
        ann, bob = new_players(2)
        for _ in range(7):
            play([ann, bob])
        assert self.weights(ann) == [1.0] * 7
        assert not Meeting.objects.exists()
        before = rows(*TABLES)
        ratings_rebuild(silent)
        assert rows(*TABLES) == before

    def surrender(self, winner: Player, loser: Player, events: int, **more: Any) -> None:
        """A game of two that one gave up."""
        result = result_of([(0,), (1,)], reason="resigned")
        play([winner, loser], result, absent=[1], events=events, **more)

    def skills(self, ladder: str) -> dict[UUID, Skill]:
        """What is believed of everybody on a ladder."""
        found = Rating.objects.filter(ladder=ladder)
        return {row.player_id: Skill(row.mu, row.sigma) for row in found}

    def weights(self, player: Player) -> list[float]:
        """The shares of a player's games, newest first."""
        found = GameResult.objects.filter(player=player).order_by("-finished_at", "-game_id")
        return list(found.values_list("weight", flat=True))

    def reasons(self, player: Player) -> list[str]:
        """Why they are less than whole."""
        found = GameResult.objects.filter(player=player).order_by("-finished_at", "-game_id")
        return list(found.values_list("reduced", flat=True))


@pytest.mark.django_db
def test_facts_of_a_surrender_are_stored() -> None:
    game = finished(new_players(2), absent=[0], events=33)
    assert (game.surrendered, game.events) == (True, 33)
    assert not finished(new_players(2)).surrendered
