"""A game is voided on a page: by whom may, with a reason, and not by chance."""

import random
from itertools import count
from typing import Any

import pytest

from tests.admin.games import play_game
from tests.admin.office import Answer, OfficeServer, Visitor

BUTTON = "Void this game"
VERDICT = {"reason": "two accounts of one player", "by": "the league", "sure": "on"}
_numbers = count(1)


def new_game(office: OfficeServer, *, ended: bool = False, **table: Any) -> tuple[str, str]:
    """A rated game of two new players, given up or not, and the name of the first of them."""
    names = [f"voided{next(_numbers)}" for _ in range(2)]
    tokens = [office.api("POST", "/players", body={"name": name})["token"] for name in names]
    table = {"ruleset": "throw_in", "rated": True, **table}
    game = play_game(office, tokens, table, random.Random(1))
    if ended:
        office.api("POST", f"/games/{game}/resign", tokens[0])
    return game, names[0]


def page(game: str, part: str = "change") -> str:
    """The path of a page of a game."""
    return f"/admin/games/game/{game}/{part}/"


def events(office: OfficeServer, game: str) -> list[tuple[Any, ...]]:
    """The verdicts in its log."""
    return office.rows(
        "SELECT data->>'reason', data->>'by' FROM games_gameevent"
        " WHERE game_id = %s AND type = 'game_voided'",
        game,
    )


def standing(office: OfficeServer, name: str) -> list[Any]:
    """A player's lines on boards and his ratings."""
    boards = [office.api("GET", f"/leaderboards/{one}")["items"] for one in ("throw_in", "overall")]
    lines = [line for board in boards for line in board if line["player"] == name]
    return [*lines, *office.api("GET", f"/players/{name}/ratings")["items"]]


def test_a_verdict_ends_in_the_log_and_boards_follow(office: OfficeServer, judge: Visitor) -> None:
    game, name = new_game(office, ended=True)
    assert len(standing(office, name)) == 4
    assert page(game, "void") in judge.get(page(game)).text
    assert 'name="csrfmiddlewaretoken"' in judge.get(page(game, "void")).text
    answer = judge.post(page(game, "void"), **VERDICT)
    assert (answer.status, answer.headers["location"]) == (302, page(game))
    assert "The game is voided, ratings followed." in judge.get(page(game)).text
    assert events(office, game) == [("two accounts of one player", "the league")]
    last = office.api("GET", f"/games/{game}/events?limit=1000")["events"][-1]
    assert (last["type"], last["data"]["reason"]) == ("game_voided", "two accounts of one player")
    assert standing(office, name) == []
    (row,) = office.api("GET", f"/players/{name}/results")["items"]
    assert row["not_rated"] == "voided"
    assert "voided: two accounts of one player" in judge.get(page(game, "history")).text


def test_a_running_game_ends_and_a_second_verdict_adds_nothing(
    office: OfficeServer, judge: Visitor
) -> None:
    game, _ = new_game(office)
    judge.post(page(game, "void"), reason="a test", sure="on")
    assert "no ladder had counted it" in judge.get(page(game)).text
    assert office.api("GET", f"/games/{game}")["status"] == "finished"
    judge.post(page(game, "void"), reason="another", sure="on")
    assert "voided already" in judge.get(page(game)).text
    assert events(office, game) == [("a test", None)]


@pytest.mark.parametrize(
    ("missing", "text"),
    [("reason", "This field is required"), ("sure", "This field is required")],
)
def test_a_verdict_has_a_reason_and_is_meant(
    office: OfficeServer, judge: Visitor, missing: str, text: str
) -> None:
    game, _ = new_game(office)
    for verdict in (
        {name: value for name, value in VERDICT.items() if name != missing},
        {**VERDICT, "reason": "   "},
        {**VERDICT, "reason": "x" * 201},
    ):
        answer = judge.post(page(game, "void"), **verdict)
        assert answer.status == 200
        assert "errorlist" in answer.text
    first = judge.post(page(game, "void"), **{**VERDICT, missing: ""})
    assert text in first.text
    assert events(office, game) == []


def test_who_may_not_sees_no_button_and_is_refused(
    office: OfficeServer, boss: Visitor, judge: Visitor
) -> None:
    game, _ = new_game(office)
    assert BUTTON not in boss.get(page(game)).text
    assert BUTTON in judge.get(page(game)).text
    refused: list[Answer] = [boss.get(page(game, "void")), boss.post(page(game, "void"), **VERDICT)]
    assert [answer.status for answer in refused] == [403, 403]
    nobody = Visitor(office)
    nobody.get("/admin/login/")
    assert nobody.post(page(game, "void"), **VERDICT).status == 302
    assert events(office, game) == []


def test_a_form_from_elsewhere_voids_nothing(office: OfficeServer, judge: Visitor) -> None:
    game, _ = new_game(office)
    forged = judge.post(page(game, "void"), csrfmiddlewaretoken="y" * 32, **VERDICT)
    assert forged.status == 403
    assert events(office, game) == []


def test_what_was_never_dealt_or_is_not_there(office: OfficeServer, judge: Visitor) -> None:
    token = office.api("POST", "/players", body={"name": f"voided{next(_numbers)}"})["token"]
    game = office.api("POST", "/games", token, {"ruleset": "throw_in", "seats": 2})["id"]
    assert BUTTON not in judge.get(page(game)).text
    assert "its cards were never dealt" in judge.post(page(game, "void"), **VERDICT).text
    nowhere = "0190fe6c-0000-7000-8000-000000000000"
    assert judge.get(page(nowhere, "void")).status == 404


def test_a_judge_changes_nothing_else(office: OfficeServer, judge: Visitor) -> None:
    game, _ = new_game(office)
    for part in ("change", "delete"):
        assert judge.post(page(game, part), post="yes", status="finished").status == 403
    assert office.api("GET", f"/games/{game}")["status"] == "running"
