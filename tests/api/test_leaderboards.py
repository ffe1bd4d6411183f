"""Boards and histories over HTTP."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Player
from games.projections.seasons import season_of
from games.services.player_delete import player_delete
from games.services.player_register import Registered
from tests.api.conftest import Api, bad_fields, refusal
from tests.scores import new_player, new_players, play, result_of

pytestmark = pytest.mark.django_db
BOARD = "/leaderboards/throw_in"


def now(minutes: int = 0) -> dict[str, datetime]:
    """A game that ended just now, in the running season."""
    return {"finished_at": timezone.now() + timedelta(minutes=minutes)}


def walk(api: Api, address: str) -> list[dict[str, Any]]:
    """All the items of a list, along its Link headers."""
    items: list[dict[str, Any]] = []
    while address:
        answer = api.get(address)
        assert answer.status_code == 200, answer.content
        items += answer.json()["items"]
        link = answer.headers.get("Link", "")
        address = link.removeprefix("</api/v1").partition(">")[0]
        assert bool(address) == bool(answer.json()["next"])
    return items


@pytest.fixture
def trio() -> list[Player]:
    """Three players who have played one game: first, second, durak."""
    players = new_players(3)
    play(players, **now())
    return players


def test_ladders_are_one_for_each_ruleset_and_overall(anybody: Api, trio: list[Player]) -> None:
    answer = anybody.get("/leaderboards").json()
    ladders = {item["id"]: item for item in answer["items"]}
    assert list(ladders)[-1] == "overall"
    assert {"simple", "throw_in", "transfer"} < ladders.keys()
    assert (ladders["throw_in"]["games"], ladders["simple"]["games"]) == (1, 0)
    assert ladders["overall"]["seasons"] == [answer["season"]] == [season_of(timezone.now())]
    assert (ladders["overall"]["ruleset"], ladders["simple"]["ruleset"]) == (None, "simple")


def test_ladders_have_titles_in_both_languages(client_for: Callable[..., Api]) -> None:
    titles = {
        language: client_for(None, language).get("/leaderboards").json()["items"][-1]["title"]
        for language in ("en", "ru")
    }
    assert titles == {"en": "All games", "ru": "Все игры"}


@pytest.mark.parametrize("ladder", ["throw_in", "overall"])
def test_a_board_after_one_game(anybody: Api, trio: list[Player], ladder: str) -> None:
    answer = anybody.get(f"/leaderboards/{ladder}").json()
    first, second, durak = trio
    assert [item["player"] for item in answer["items"]] == [first.name, second.name, durak.name]
    assert [item["rank"] for item in answer["items"]] == [1, 2, 3]
    assert (answer["next"], answer["ladder"]) == (None, ladder)
    best = answer["items"][0]
    assert best == {
        "rank": 1,
        "player": first.name,
        "kind": "human",
        "rating": best["rating"],
        "uncertainty": best["uncertainty"],
        "provisional": True,
        "games": 1,
        "durak_count": 0,
        "first_places": 1,
        "draws": 0,
        "points": 0,
    }
    assert best["rating"] > 1000 > answer["items"][2]["rating"]
    assert answer["items"][2]["durak_count"] == 1


def test_a_board_nobody_stands_on_is_empty(anybody: Api) -> None:
    answer = anybody.get("/leaderboards/simple")
    assert answer.json()["items"] == []
    assert "Link" not in answer.headers


def test_an_unknown_ladder_is_not_found(anybody: Api) -> None:
    refusal(anybody.get("/leaderboards/poker"), 404, "not_found")


def test_pages_follow_the_links_and_keep_the_season(anybody: Api) -> None:
    players = new_players(7)
    play(players[:4], **now())
    play(players[4:], **now())
    items = walk(anybody, f"{BOARD}?limit=2")
    assert {item["player"] for item in items} == {player.name for player in players}
    assert items == anybody.get(BOARD).json()["items"]
    first = anybody.get(f"{BOARD}?limit=2").json()
    second = anybody.get(f"{BOARD}?season=2001Q1&cursor={first['next']}").json()
    assert second["season"] == first["season"]
    assert second["items"] == items[2:][: len(second["items"])]


def test_kind_and_established_narrow_the_board(anybody: Api) -> None:
    person, bot = new_player(), new_player(kind="bot")
    play([bot, person], **now())
    people = anybody.get(f"{BOARD}?kind=human").json()["items"]
    assert [(item["rank"], item["player"]) for item in people] == [(1, person.name)]
    assert [item["kind"] for item in anybody.get(f"{BOARD}?kind=bot").json()["items"]] == ["bot"]
    assert anybody.get(f"{BOARD}?established=true").json()["items"] == []
    assert len(anybody.get(f"{BOARD}?established=false").json()["items"]) == 2


def test_established_lists_whoever_is_no_longer_provisional(anybody: Api) -> None:
    ann, bob = new_players(2)
    for _ in range(15):
        play([ann, bob], **now())
        play([bob, ann], **now())
    items = anybody.get(f"{BOARD}?established=true").json()["items"]
    assert {item["player"] for item in items} == {ann.name, bob.name}
    assert not any(item["provisional"] for item in items)


def test_games_can_be_demanded(anybody: Api) -> None:
    often, seldom = new_players(2), new_players(2)
    for _ in range(5):
        play(often, **now())
    play(seldom, **now())
    items = walk(anybody, f"{BOARD}?min_games=5&limit=1")
    assert [(item["rank"], item["player"]) for item in items] == [
        (1, often[0].name),
        (2, often[1].name),
    ]
    assert anybody.get(f"{BOARD}?min_games=15").json()["items"] == []
    assert len(anybody.get(f"{BOARD}?min_games=1").json()["items"]) == 4


def test_a_past_season_stays_as_it_was(anybody: Api) -> None:
    ann, bob = new_players(2)
    play([ann, bob], finished_at=timezone.now() - timedelta(days=400))
    old = season_of(timezone.now() - timedelta(days=400))
    before = anybody.get(f"{BOARD}?season={old}").json()
    play([bob, ann], **now())
    assert anybody.get(f"{BOARD}?season={old}").json() == before
    assert before["items"][0]["player"] == ann.name


class TestAroundMe:
    """`around=me`"""

    def test_it_needs_a_token(self, anybody: Api) -> None:
        refusal(anybody.get(f"{BOARD}?around=me"), 401, "auth.missing")

    def test_it_has_me_in_the_middle_and_goes_on_downwards(
        self, ann: Registered, as_ann: Api
    ) -> None:
        others = new_players(4)
        for _ in range(2):
            play([*others[:2], ann.player, *others[2:]], **now())
        page = as_ann.get(f"{BOARD}?around=me&limit=3").json()
        assert [item["rank"] for item in page["items"]] == [2, 3, 4]
        assert page["items"][1]["player"] == "ann"
        rest = as_ann.get(f"{BOARD}?around=me&limit=3&cursor={page['next']}").json()
        assert [item["rank"] for item in rest["items"]] == [5]

    def test_it_is_empty_for_whoever_is_not_on_the_board(
        self, as_ann: Api, trio: list[Player]
    ) -> None:
        assert as_ann.get(f"{BOARD}?around=me").json()["items"] == []

    def test_only_me_is_known(self, as_ann: Api) -> None:
        assert bad_fields(as_ann.get(f"{BOARD}?around=bob")).keys() == {"around"}


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("kind=robot", "kind"),
        ("established=perhaps", "established"),
        ("season=" + "9" * 17, "season"),
        ("min_games=7", "min_games"),
        ("min_games=many", "min_games"),
        ("limit=0", "limit"),
        ("cursor=nonsense", "cursor"),
        ("cursor=WzEsMiwzXQ", "cursor"),
    ],
)
def test_bad_parameters_are_named(anybody: Api, query: str, field: str) -> None:
    assert bad_fields(anybody.get(f"{BOARD}?{query}")).keys() == {field}


class TestResults:
    """`/players/{name}/results`"""

    def test_a_result_tells_game_place_points_and_ratings(
        self, anybody: Api, trio: list[Player]
    ) -> None:
        points = {"0": 12, "1": 0}
        game = play(
            [trio[2], trio[0]],
            result_of([(1,), (0,)], points=points),
            ruleset="simple",
            **now(1),
        )
        newest, oldest = anybody.get(f"/players/{trio[2].name}/results").json()["items"]
        assert newest == {
            "game": str(game),
            "match": str(game),
            "ruleset": "simple",
            "seat": 0,
            "players": 2,
            "opponents": [
                {
                    "seat": 1,
                    "player": trio[0].name,
                    "kind": "human",
                    "place": 1,
                    "durak": False,
                }
            ],
            "place": 2,
            "shared": False,
            "durak": True,
            "draw": False,
            "points": 12,
            "weight": 1.0,
            "not_rated": None,
            "reduced": None,
            "rating_before": 1000,
            "rating_after": newest["rating_after"],
            "finished_at": newest["finished_at"],
        }
        assert oldest["place"] == 3
        assert oldest["rating_after"] < 1000

    def test_a_game_says_why_it_counts_less_or_not(
        self, anybody: Api, trio: list[Player], settings: Any
    ) -> None:
        settings.RATING_REPEATS = [2, 1]
        for minute in (1, 2, 3):
            play(trio[:2], ruleset="simple", **now(minute))
        items = anybody.get(f"/players/{trio[0].name}/results").json()["items"]
        told = [(item["weight"], item["not_rated"], item["reduced"]) for item in items]
        assert told == [
            (0.0, "repeated", None),
            (0.5, None, "repeated"),
            (1.0, None, None),
            (1.0, None, None),
        ]

    def test_a_ladder_narrows_it(self, anybody: Api, trio: list[Player]) -> None:
        play(trio, ruleset="simple", **now(1))
        address = f"/players/{trio[0].name}/results"
        assert len(walk(anybody, f"{address}?limit=1")) == 2
        simple = anybody.get(f"{address}?ladder=simple").json()["items"]
        assert [item["ruleset"] for item in simple] == ["simple"]
        assert bad_fields(anybody.get(f"{address}?ladder=poker")).keys() == {"ladder"}

    def test_a_private_game_is_shown_to_its_players(
        self, anybody: Api, ann: Registered, as_ann: Api
    ) -> None:
        bob = new_player()
        play([ann.player, bob], private=True, **now())
        assert anybody.get("/players/ann/results").json()["items"] == []
        assert len(as_ann.get("/players/ann/results").json()["items"]) == 1
        assert len(as_ann.get(f"/players/{bob.name}/results").json()["items"]) == 1

    def test_a_cursor_without_a_time_zone_is_none_of_ours(
        self, anybody: Api, trio: list[Player]
    ) -> None:
        cursor = (
            "WyIyMDI2LTAxLTAxVDAwOjAwOjAwIiwiMDAwMDAwMDAtMDAwMC0wMDAwLTAwMDAtMDAwMDAwMDAwMDAwIiwwXQ"
        )
        address = f"/players/{trio[0].name}/results?cursor={cursor}"
        assert bad_fields(anybody.get(address)).keys() == {"cursor"}


class TestRatings:
    """`/players/{name}/ratings` and `/rating-history`"""

    def test_ratings_agree_with_the_board(self, anybody: Api, trio: list[Player]) -> None:
        items = anybody.get(f"/players/{trio[1].name}/ratings").json()["items"]
        assert [item["ladder"] for item in items] == ["overall", "throw_in"]
        line = anybody.get(BOARD).json()["items"][1]
        assert {name: items[1][name] for name in line.keys() & items[1].keys()} == {
            name: line[name] for name in line.keys() & items[1].keys()
        }

    def test_history_leads_from_1000_to_the_rating(self, anybody: Api, trio: list[Player]) -> None:
        for _ in range(3):
            play(trio, **now())
        address = f"/players/{trio[0].name}/rating-history"
        items = walk(anybody, f"{address}?ladder=throw_in&limit=3")
        assert [item["seq"] for item in items] == [4, 3, 2, 1]
        assert items[-1]["rating_before"] == 1000
        assert items[0]["rating_after"] == anybody.get(BOARD).json()["items"][0]["rating"]
        assert items == anybody.get(address).json()["items"]

    def test_other_ladders_are_refused(self, anybody: Api, trio: list[Player]) -> None:
        address = f"/players/{trio[0].name}/rating-history?ladder=poker"
        assert bad_fields(anybody.get(address)).keys() == {"ladder"}

    def test_days_are_the_last_changes_of_theirs(self, anybody: Api, trio: list[Player]) -> None:
        for minutes in (-3000, -1500, -1499):
            play(trio, **now(minutes))
        address = f"/players/{trio[0].name}/rating-history?ladder=throw_in"
        every, days = walk(anybody, address), walk(anybody, f"{address}&by=day&limit=1")
        by_day = {item["finished_at"][:10]: item for item in reversed(every)}
        assert days[0] == every[0]
        assert len(days) <= len(by_day)
        assert all(item in every for item in days)
        assert bad_fields(anybody.get(f"{address}&by=week")).keys() == {"by"}
        cursor = anybody.get(f"{address}&limit=1").json()["next"]
        assert bad_fields(anybody.get(f"{address}&by=day&cursor={cursor}")).keys() == {"cursor"}


class TestTotals:
    """`/players/{name}/totals`"""

    def test_totals_of_a_season_and_of_all(self, anybody: Api, trio: list[Player]) -> None:
        address = f"/players/{trio[0].name}/totals"
        whole = anybody.get(address).json()
        assert [item["ladder"] for item in whole["items"]] == ["overall", "throw_in"]
        row = whole["items"][1]
        assert row == {
            "ladder": "throw_in",
            "season": None,
            "games": 1,
            "durak_count": 0,
            "first_places": 1,
            "draws": 0,
            "points": 0,
            "not_durak": {"current": 1, "best": 1},
            "first": {"current": 1, "best": 1},
            "last_game_at": row["last_game_at"],
        }
        season = season_of(timezone.now())
        here = anybody.get(f"{address}?season={season}").json()["items"]
        assert here == [item | {"season": season} for item in whole["items"]]
        assert anybody.get(f"{address}?season=1999Q1").json()["items"] == []


class TestVersus:
    """`/players/{name}/versus/{other}`"""

    def test_it_counts_from_the_first_name(self, anybody: Api, trio: list[Player]) -> None:
        first, _, durak = trio
        answer = anybody.get(f"/players/{first.name}/versus/{durak.name}").json()
        assert (answer["player"], answer["versus"]) == (first.name, durak.name)
        assert answer["total"] == {
            "ruleset": None,
            "games": 1,
            "durak_count": 0,
            "versus_durak_count": 1,
            "before": 1,
            "behind": 0,
            "level": 0,
            "draws": 0,
        }
        assert answer["rulesets"] == [answer["total"] | {"ruleset": "throw_in"}]
        assert [(game["place"], game["versus_place"]) for game in answer["last"]] == [(1, 3)]
        assert answer["is_complete"]

    def test_private_games_count_for_their_players(
        self, anybody: Api, ann: Registered, as_ann: Api
    ) -> None:
        bob = new_player()
        play([ann.player, bob], private=True, **now())
        address = f"/players/{bob.name}/versus/ann"
        assert anybody.get(address).json()["total"]["games"] == 0
        assert as_ann.get(address).json()["total"]["games"] == 1

    def test_nobody_plays_against_himself(self, anybody: Api, trio: list[Player]) -> None:
        name = trio[0].name
        answer = anybody.get(f"/players/{name}/versus/{name.upper()}")
        assert bad_fields(answer).keys() == {"other"}

    def test_the_other_one_must_exist(self, anybody: Api, trio: list[Player]) -> None:
        answer = anybody.get(f"/players/{trio[0].name}/versus/nobody")
        refusal(answer, 404, "player.not_found")


@pytest.mark.parametrize("page", ["results", "ratings", "rating-history", "totals", "versus/bob"])
def test_unknown_and_deleted_players_are_not_found(
    anybody: Api, trio: list[Player], page: str
) -> None:
    refusal(anybody.get(f"/players/nobody/{page}"), 404, "player.not_found")
    player_delete(player_id=trio[0].id)
    refusal(anybody.get(f"/players/{trio[0].name}/{page}"), 404, "player.not_found")


@pytest.mark.parametrize(
    ("address", "statements"),
    [
        ("/leaderboards", 1),
        (BOARD, 1),
        (f"{BOARD}?limit=2&cursor=", 2),
        (f"{BOARD}?around=me", 3),
        (f"{BOARD}?kind=human", 2),
        (f"{BOARD}?around=me&established=false&min_games=1&kind=human", 3),
        ("/players/ann/results", 5),
        ("/players/ann/ratings", 2),
        ("/players/ann/totals", 2),
        ("/players/ann/rating-history", 4),
        ("/players/ann/rating-history?by=day", 5),
        ("/players/ann/versus/opponent", 5),
    ],
)
@pytest.mark.parametrize("games", [1, 4])
def test_statements_do_not_grow_with_the_list(
    ann: Registered, as_ann: Api, address: str, statements: int, games: int
) -> None:
    """Authentication is one of them where a token may be used."""
    opponent = new_player("opponent")
    for _ in range(games):
        play([*new_players(3), opponent, ann.player], **now())
    if address.endswith("cursor="):
        address += as_ann.get(f"{BOARD}?limit=2").json()["next"]
        statements += 1
    if address == BOARD:
        statements += 1
    with CaptureQueriesContext(connection) as queries:
        assert as_ann.get(address).status_code == 200
    assert len(queries) == statements, [query["sql"][:90] for query in queries]
