"""The staff's pages tell what anybody may know of a running game, and change nothing."""

import re
from base64 import b64encode
from collections.abc import Iterator

import pytest
from django.test import Client

from tests.admin.games import CARD, Played
from tests.admin.office import STAFF, STRANGER, OfficeServer, Visitor

MODELS = ("game", "gameevent", "gameresult", "player")


def spellings(secret: str) -> Iterator[str]:
    """How a page might show 32 bytes: hex digits, base 64, escapes of Python's."""
    yield secret
    with_bytes = re.fullmatch(r"(?:[0-9a-f]{2})+", secret)
    if with_bytes:
        raw = bytes.fromhex(secret)
        yield secret.upper()
        yield b64encode(raw).decode().rstrip("=")
        yield repr(raw)[2:-1]


def test_no_page_tells_a_secret_of_a_running_game(boss: Visitor, played: list[Played]) -> None:
    """Seeds, secrets, snapshots, invites; cards on the pages of their own game and its events."""
    pages = boss.walk()
    assert {answer.status for answer in pages.values()} <= {200, 302}
    whole = "".join(answer.text for answer in pages.values())
    running = [game for game in played if not game.is_over]
    assert len(running) == len(played) - 1
    for game in running:
        assert f"/admin/games/game/{game.id}/change/" in pages
        for secret in game.secrets:
            assert len(secret) > 15
            assert not [text for text in spellings(secret) if text in whole]
    for game in (game for game in running if game.hidden):
        own = [answer.text for answer in pages.values() if game.id in answer.text]
        details = [text for text in own if "<pre>" in text]
        assert len(details) > 5
        shown = {card for text in details for card in CARD.findall(text)}
        assert shown
        assert not shown & game.hidden


def test_there_was_something_to_hide(played: list[Played]) -> None:
    running = [game for game in played if not game.is_over]
    assert sum(bool(game.hidden) for game in running) == 3
    assert min(len(game.hidden) for game in running if game.hidden) > 5
    assert max(len(game.secrets) for game in running) == 5


def test_a_finished_game_is_told_in_full(
    boss: Visitor, office: OfficeServer, played: list[Played]
) -> None:
    game = played[-1].id
    ((event,),) = office.rows(
        "SELECT id FROM games_gameevent WHERE game_id = %s AND type = 'cards_dealt'", game
    )
    page = boss.get(f"/admin/games/gameevent/{event}/change/").text
    assert len(set(CARD.findall(page))) == 36
    assert "??" not in page


def test_a_running_game_is_told_as_to_a_watcher(
    boss: Visitor, office: OfficeServer, played: list[Played]
) -> None:
    game = played[0].id
    page = boss.get(f"/admin/games/game/{game}/change/").text
    assert "&quot;you&quot;: null" in page
    ((event,),) = office.rows(
        "SELECT id FROM games_gameevent WHERE game_id = %s AND type = 'cards_dealt'", game
    )
    assert "??" in boss.get(f"/admin/games/gameevent/{event}/change/").text


@pytest.mark.parametrize(
    "query",
    [
        "game/?server_seed__startswith=a",
        "game/?server_seed=a",
        "game/?chain_secret__isnull=0",
        "game/?bot_secret__gt=a",
        "game/?snapshot__contains=6S",
        "game/?invite__startswith=a",
        "game/?invite=a",
        "game/?creator__password__startswith=a",
        "gameevent/?data__hands__0__0=6S",
        "gameevent/?data__icontains=6S",
        "gameevent/?game__server_seed__startswith=a",
        "gameevent/?game__invite=a",
        "gameresult/?player__password__startswith=a",
        "player/?password__startswith=s",
        "player/?tokens__digest__startswith=a",
    ],
)
def test_no_address_asks_for_what_is_hidden(
    boss: Visitor, played: list[Played], query: str
) -> None:
    """A filter would tell it a letter at a time."""
    assert boss.get(f"/admin/games/{query}").status == 400


def test_lists_are_narrowed_by_what_is_shown(boss: Visitor, played: list[Played]) -> None:
    for query in ("game/?status__exact=running", "game/?rated__exact=1", "player/?kind__exact=bot"):
        assert boss.get(f"/admin/games/{query}").status == 200
    events = boss.get(f"/admin/games/gameevent/?game={played[0].id}").text
    assert played[0].id in events
    assert played[1].id not in events
    found = boss.get(f"/admin/games/game/?q={played[1].id}").text
    assert f"/admin/games/game/{played[1].id}/change/" in found
    assert f"/admin/games/game/{played[0].id}/change/" not in found
    assert "/change/" not in boss.get("/admin/games/game/?q=6S").text


@pytest.mark.parametrize("model", MODELS)
def test_no_address_sorts_a_list(boss: Visitor, played: list[Played], model: str) -> None:
    """The rows are the newest, along an index, however many there are."""
    folder = f"/admin/games/{model}/"

    def rows(query: str) -> list[str]:
        return re.findall(rf'href="{folder}([^/]+)/change/', boss.get(f"{folder}?{query}").text)

    newest = rows("")
    assert len(newest) > 1
    assert "o=" not in re.findall(r"[?&;](\w+=)", boss.get(folder).text)
    for column in range(1, 9):
        assert rows(f"o={column}") == rows(f"o=-{column}") == newest


@pytest.mark.parametrize("model", MODELS)
def test_nothing_is_added_changed_or_deleted(
    boss: Visitor, office: OfficeServer, played: list[Played], model: str
) -> None:
    ((row,),) = office.rows(f"SELECT id FROM games_{model} ORDER BY id LIMIT 1")
    folder = f"/admin/games/{model}"
    before = office.rows(f"SELECT t::text FROM games_{model} t ORDER BY 1")
    for path in (f"{folder}/add/", f"{folder}/{row}/change/", f"{folder}/{row}/delete/"):
        assert boss.post(path, post="yes", name="new", status="finished").status == 403
    deleting = boss.post(f"{folder}/", action="delete_selected", _selected_action=str(row))
    assert deleting.status in {200, 302, 403}
    assert office.rows(f"SELECT t::text FROM games_{model} t ORDER BY 1") == before
    page = boss.get(f"{folder}/{row}/change/").text
    assert 'type="submit" value="Save"' not in page
    assert not re.findall(r'<(?:input|textarea|select)[^>]+name="(?!csrf|next)', page)


def test_only_the_staff_comes_in(office: OfficeServer, played: list[Played]) -> None:
    paths = ["/admin/", f"/admin/games/game/{played[0].id}/change/", "/admin/games/player/"]
    stranger, nobody = Visitor(office), Visitor(office)
    assert stranger.sign_in(STRANGER).status == 200
    assert Visitor(office).sign_in(STAFF, "wrong").status == 200
    for visitor in (stranger, nobody):
        for path in paths:
            answer = visitor.get(path)
            assert answer.status == 302
            assert answer.headers["location"].startswith("/admin/login/")


def test_a_form_from_elsewhere_is_refused(office: OfficeServer) -> None:
    visitor = Visitor(office)
    visitor.get("/admin/login/")
    visitor.cookies["csrftoken"] = "x" * 32
    assert visitor.post("/admin/login/", csrfmiddlewaretoken="y" * 32).status == 403


def test_cookies_are_for_the_office_alone(office: OfficeServer, boss: Visitor) -> None:
    door = Visitor(office).get("/admin/login/")
    cookie = door.headers["set-cookie"]
    for part in ("Path=/admin/", "Secure", "SameSite=Strict"):
        assert part in cookie
    assert door.headers["x-frame-options"] == "DENY"
    for method, path, status in (
        ("GET", "/api/v1/rulesets", 200),
        ("POST", "/nowhere", 404),
        ("POST", "/api/v1/players", 400),
        ("GET", "/healthz", 200),
    ):
        answer = office.call(method, path, Cookie=f"sessionid={boss.cookies['sessionid']}")
        assert (answer.status, answer.cookies) == (status, {})
        assert "x-frame-options" not in answer.headers


def test_its_style_is_served(office: OfficeServer, boss: Visitor) -> None:
    for link in re.findall(r'href="(/static/[^"]+\.css)"', boss.get("/admin/").text):
        assert office.call("GET", link).status == 200


def test_without_the_setting_there_is_no_office(db: None) -> None:
    for path in ("/admin/", "/admin/login/"):
        answer = Client().get(path)
        assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
