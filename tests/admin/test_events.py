"""Lists of events: never of a type over all games, and as far behind as those who watch."""

import random
import re

import pytest

from tests.admin.games import Played, play_game
from tests.admin.office import OfficeServer, Visitor

LIST = "/admin/games/gameevent/"
RESULTS = "/admin/games/gameresult/"


def listed(page: str) -> set[int]:
    """The events on a list, by their keys."""
    return {int(key) for key in re.findall(rf"{LIST}(\d+)/change/", page)}


@pytest.mark.parametrize(
    "query", ["type=cards_dealt", "type__exact=cards_dealt", "type=cards_dealt&game=", "type=a&q="]
)
def test_a_type_alone_is_refused_with_a_word(
    boss: Visitor, played: list[Played], query: str
) -> None:
    answer = boss.get(f"{LIST}?{query}")
    assert (answer.status, answer.headers["location"]) == (302, LIST)
    refused = "To narrow by type, narrow by game too, or give the id of a game."
    assert refused in boss.get(LIST).text


def test_results_that_do_not_count_are_listed_of_a_game_or_a_player(
    boss: Visitor, office: OfficeServer, played: list[Played]
) -> None:
    assert boss.get(f"{RESULTS}?unrated__exact=voided").headers["location"] == RESULTS
    refused = "To narrow by unrated, narrow by game or player too, or give the id of a game."
    assert refused in boss.get(RESULTS).text
    ((game, player),) = office.rows(
        "SELECT game_id, player_id FROM games_gameresult WHERE game_id = %s LIMIT 1", played[-1].id
    )
    for query in ("unrated__exact=", f"q={game}&unrated=voided", f"player={player}&unrated=voided"):
        assert boss.get(f"{RESULTS}?{query}").status == 200


@pytest.mark.parametrize("game", ["game", "game__exact", "q"])
def test_a_type_within_a_game_is_listed(
    boss: Visitor, office: OfficeServer, played: list[Played], game: str
) -> None:
    rows = office.rows(
        "SELECT id FROM games_gameevent WHERE game_id = %s AND type = 'cards_dealt'", played[0].id
    )
    page = boss.get(f"{LIST}?type=cards_dealt&{game}={played[0].id}")
    assert page.status == 200
    assert listed(page.text) == {key for (key,) in rows}


@pytest.fixture(scope="module")
def behind(office: OfficeServer) -> str:
    """A running game whose watchers are three moves behind."""
    names = ("slow1", "slow2")
    tokens = [office.api("POST", "/players", body={"name": name})["token"] for name in names]
    table = {"ruleset": "throw_in", "spectator_delay": 3}
    return play_game(office, tokens, table, random.Random(2))


def test_events_are_shown_when_a_watcher_sees_them(
    boss: Visitor, office: OfficeServer, behind: str
) -> None:
    shown = office.api("GET", f"/games/{behind}")["version"]
    rows = office.rows("SELECT id, seq FROM games_gameevent WHERE game_id = %s", behind)
    assert 0 < shown < len(rows)
    seen = {key for key, seq in rows if seq <= shown}
    for page in (f"{LIST}?game={behind}", f"{LIST}?q={behind}"):
        assert listed(boss.get(page).text) == seen
    whole = listed(boss.get(LIST).text)
    for key, _ in rows:
        assert boss.get(f"{LIST}{key}/change/").status == (200 if key in seen else 302)
        assert key in seen or key not in whole


def test_a_game_has_the_version_that_a_watcher_sees(
    boss: Visitor, office: OfficeServer, behind: str
) -> None:
    shown = office.api("GET", f"/games/{behind}")["version"]
    ((real,),) = office.rows("SELECT version FROM games_game WHERE id = %s", behind)
    page = boss.get(f"/admin/games/game/{behind}/change/").text
    assert f'<div class="readonly">{shown}</div>' in page
    assert f">{shown} events</a>" in page
    assert f"{real} events" not in page
    line = boss.get(f"/admin/games/game/?q={behind}").text
    assert f'<td class="field-seen">{shown}</td>' in line


def test_what_is_over_is_shown_to_its_end(boss: Visitor, office: OfficeServer) -> None:
    names = ("slow3", "slow4")
    tokens = [office.api("POST", "/players", body={"name": name})["token"] for name in names]
    table = {"ruleset": "throw_in", "spectator_delay": 3}
    game = play_game(office, tokens, table, random.Random(3))
    office.api("POST", f"/games/{game}/resign", tokens[0])
    ((events,),) = office.rows("SELECT count(*) FROM games_gameevent WHERE game_id = %s", game)
    assert len(listed(boss.get(f"{LIST}?game={game}").text)) == events
