"""From the end of a game to its rows."""

import pytest
from msgspec.structs import replace
from uuid_utils.compat import uuid7

from games.models import GameFinish, GameResult, Player
from games.projections.results import (
    FinishedGame,
    finished_game,
    places_of,
    results_record,
    unrated,
)
from games.rules.events import Result
from games.rules.game import Chair, Game
from games.rules.rulesets import registry
from tests.scores import AUTUMN, finished, new_players, record, result_of


def people(number: int) -> list[Player]:
    """Accounts that need no database."""
    return [Player(id=uuid7(), name=f"p{seat}") for seat in range(number)]


def places(result: Result, *absent: int) -> list[tuple[int, bool, bool, bool]]:
    """Place, shared, durak and drew, seat by seat."""
    seats = sum(map(len, result.places))
    found = places_of(finished(people(seats), result, absent=absent))
    return [
        (one.place, one.shared, one.is_durak, one.drew)
        for one in (found[seat] for seat in range(seats))
    ]


def test_places_follow_the_order_of_going_out() -> None:
    assert places(result_of([(2,), (0,), (1,)])) == [
        (2, False, False, False),
        (3, False, True, False),
        (1, False, False, False),
    ]


def test_a_draw_is_shared_by_those_who_drew_and_has_no_durak() -> None:
    assert places(result_of([(1,), (0, 2)], draw=True)) == [
        (2, True, False, True),
        (1, False, False, False),
        (2, True, False, True),
    ]


def test_a_shared_place_counts_those_before_it() -> None:
    """Places of a shedding game by points: two share the first, the next is third."""
    assert [place for place, *_ in places(result_of([(0, 1), (2,)]))] == [1, 1, 3]


def test_the_losing_team_shares_the_last_place() -> None:
    lost = places(result_of([(0, 2), (1, 3)], durak=(1, 3)))
    assert lost == [
        (1, True, False, False),
        (3, True, True, False),
        (1, True, False, False),
        (3, True, True, False),
    ]


def test_whoever_resigned_is_durak_though_the_bot_in_the_seat_went_out_first() -> None:
    """Rulebook 3.7, 14: the seat's own result does not rate him; who kept cards is durak too."""
    assert places(result_of([(0,), (1,), (2,)]), 0) == [
        (2, True, True, False),
        (1, False, False, False),
        (2, True, True, False),
    ]


def test_nobody_else_is_durak_if_the_bot_of_whoever_resigned_is() -> None:
    assert places(result_of([(1,), (2,), (0,)]), 0) == [
        (3, False, True, False),
        (1, False, False, False),
        (2, False, False, False),
    ]


def test_a_draw_of_the_bot_does_not_save_whoever_left() -> None:
    assert places(result_of([(1,), (0, 2)], draw=True), 0) == [
        (3, False, True, False),
        (1, False, False, False),
        (2, False, False, True),
    ]


def test_two_who_left_are_duraks_alike() -> None:
    assert places(result_of([(0,), (1,), (2,), (3,)]), 0, 3)[0::3] == [(3, True, True, False)] * 2


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({}, ""),
        ({"private": True}, ""),
        ({"rated": False}, "casual"),
        ({"options": {"attack_limit": 5}}, "options"),
        ({"result": result_of([(0, 1)], draw=True, reason="aborted")}, "aborted"),
    ],
)
def test_only_rated_games_of_an_unchanged_preset_count(
    changes: dict[str, object], why: str
) -> None:
    assert unrated(finished(people(2), **changes)) == why


def test_a_game_of_one_account_does_not_count() -> None:
    assert unrated(finished(people(1) * 3)) == "one_player"


@pytest.mark.django_db
class TestRecord:
    """Rows."""

    def test_a_row_holds_all_that_a_history_shows(self) -> None:
        ann, bob = new_players(2)
        points = {"0": 0, "1": 17}
        game = record(finished([ann, bob], result_of([(0,), (1,)], points=points)))
        row = GameResult.objects.get(game_id=game.game_id, seat=1)
        assert (row.player, row.ladder, row.place, row.players) == (bob, "throw_in", 2, 2)
        assert (row.points, row.is_durak, row.unrated, row.private) == (17, True, "", False)
        assert row.finished_at == AUTUMN

    def test_recording_again_changes_nothing(self) -> None:
        game = record(finished(new_players(3)))
        before = list(GameResult.objects.values())
        results_record(game=game)
        assert list(GameResult.objects.values()) == before
        assert GameFinish.objects.filter(rated_at=None).count() == 1

    def test_a_game_that_does_not_count_has_results_and_waits_for_no_ratings(self) -> None:
        game = record(finished(new_players(2), rated=False))
        assert set(self.why(game)) == {"casual"}
        assert not GameFinish.objects.exists()

    def test_one_player_in_two_seats_has_two_rows(self) -> None:
        ann, bot = new_players(2)
        game = record(finished([ann, bot, bot]))
        assert GameResult.objects.filter(game_id=game.game_id, player=bot).count() == 2

    def why(self, game: FinishedGame) -> list[str]:
        """Why the rows of the game say that it does not count."""
        rows = GameResult.objects.filter(game_id=game.game_id)
        return list(rows.values_list("unrated", flat=True))


@pytest.mark.parametrize(
    ("chair", "absent"),
    [
        (Chair("p"), False),
        (Chair("p", "bot", "greedy", house=True), False),
        (Chair("p", "bot"), False),
        (Chair("p", "human", "greedy"), True),
        (Chair("p", "bot", "greedy"), True),
        (Chair("p", "human", "greedy", resigned=True), True),
        (Chair("p", "human", resigned=True), True),
    ],
)
def test_absent_is_who_resigned_or_has_a_bot_in_his_seat(chair: Chair, absent: bool) -> None:
    """The house's own bots are where they belong."""
    assert finished_game(uuid7(), end_of_a_game(chair), AUTUMN).seats[0].absent is absent


def test_a_game_that_goes_on_has_no_results() -> None:
    with pytest.raises(ValueError, match="not finished"):
        finished_game(uuid7(), replace(end_of_a_game(Chair("p")), result=None), AUTUMN)


def end_of_a_game(first: Chair) -> Game:
    """A folded game that the first seat won."""
    chairs = (replace(first, player=str(uuid7())), Chair(str(uuid7())))
    rules = registry.ruleset("throw_in").rules
    return Game(
        ruleset="throw_in",
        options={},
        rules=rules,
        ruleset_sha256="",
        creator="",
        rated=True,
        visibility="public",
        auto_start=True,
        match="",
        game_number=1,
        commitment="",
        chain_commitment="",
        chairs=chairs,
        result=result_of([(0,), (1,)]),
    )
