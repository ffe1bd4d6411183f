"""Games over HTTP: clients that sit down and play."""

import random
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from bots.brains import brain_get
from games.models import ApiToken, Game, GameEvent, GameSeat
from games.services.player_register import player_register
from tests.api.conftest import Api
from tests.tables import choose

READS = ("", "?at=1", "/events", "/replay", "/fairness")
WRITES = ("join", "leave", "return", "resign", "start", "bots", "moves", "rematch")
BODIES: dict[str, Any] = {"bots": {"brain": "greedy"}, "moves": {"type": "take"}}
NOBODY_KNOWS = "01890a5d-ac96-774b-bcce-b302099a8057"
NAMES = ("ann", "bob", "cat", "dan", "eve", "fay")
_GREEDY = brain_get("greedy").brain


class Person(Api):
    """A player's client."""

    def __init__(self, name: str, language: str | None = None) -> None:
        registered = player_register(name=name)
        super().__init__(registered.token.text, language)
        self.name = name
        self.token = registered.token.text
        self.id = registered.player.id

    def __repr__(self) -> str:
        return self.name


def people(number: int) -> list[Person]:
    """Ann, Bob and so on."""
    return [Person(name) for name in NAMES[:number]]


def create(creator: Api, **body: Any) -> dict[str, Any]:
    """A new table as its creator sees it: two seats of throw_in unless the body says more."""
    answer = creator.post("/games", {"ruleset": "throw_in", "seats": 2, **body})
    assert answer.status_code == 201, answer.content
    view: dict[str, Any] = answer.json()
    return view


def open_game(*players: Person, **body: Any) -> str:
    """The address of a table where these players sit; it has started if no seat is free."""
    creator, *others = players
    view = create(creator, **{"seats": len(players), **body})
    path = f"/games/{view['id']}"
    invite = {"invite": view["invite"]} if "invite" in view else {}
    for player in others:
        assert player.post(f"{path}/join", invite).status_code == 200
    return path


def view_of(client: Api, path: str, query: str = "") -> dict[str, Any]:
    """The game as the client sees it."""
    answer = client.get(path + query)
    assert answer.status_code == 200, answer.content
    view: dict[str, Any] = answer.json()
    return view


def events_of(client: Api, path: str, after: int = 0) -> list[dict[str, Any]]:
    """The events after a version, as the client sees them."""
    events: list[dict[str, Any]] = client.get(f"{path}/events?after={after}&limit=1000").json()[
        "events"
    ]
    return events


def who_acts(players: tuple[Person, ...], path: str) -> tuple[Person, dict[str, Any]]:
    """Whose turn it is, and his view."""
    seat = view_of(players[0], path)["to_act"][0]
    return players[seat], view_of(players[seat], path)


def pick(view: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """A legal move: mostly a sensible one, so that games end, now and then any."""
    if rng.random() < 0.7:
        return _GREEDY.choose(view, (), rng, 0)
    return choose(view["you"]["legal_moves"], rng)


def moves(path: str, rng: random.Random, *players: Person) -> Iterator[Any]:
    """Play the game to its end, one answer of POST /moves at a time."""
    [seat] = view_of(players[0], path)["to_act"]
    while True:
        body = pick(view_of(players[seat], path), rng)
        answer = players[seat].post(f"{path}/moves", body)
        assert answer.status_code == 201, answer.content
        yield answer
        view = answer.json()["view"]
        if view["status"] == "finished":
            return
        [seat] = view["to_act"]


def play_out(path: str, rng: random.Random, *players: Person) -> None:
    """Play the game to its end."""
    for _ in moves(path, rng, *players):
        pass


def play_some(number: int, path: str, rng: random.Random, *players: Person) -> None:
    """Play so many moves; the game must not end by then."""
    for _, answer in zip(range(number), moves(path, rng, *players), strict=False):
        assert answer.json()["view"]["status"] == "running"


def write(client: Api, path: str, what: str, **headers: str) -> Any:
    """One of WRITES."""
    return client.post(f"{path}/{what}", BODIES.get(what), **headers)


def stored(path: str) -> list[tuple[Any, ...]]:
    """All that the database has of a game: what a refused request must not change."""
    key = UUID(path.split("/")[2])
    return [
        *Game.objects.filter(id=key).values_list(),
        *GameSeat.objects.filter(game=key).order_by("seat").values_list(),
        *GameEvent.objects.filter(game=key).order_by("seq").values_list(),
    ]


def sans_clock(view: dict[str, Any]) -> dict[str, Any]:
    """A view without the time at which it was served."""
    return {name: value for name, value in view.items() if name != "server_time"}


def limit_scopes(*scopes: str) -> None:
    """From now on every token has these alone."""
    ApiToken.objects.update(scopes=list(scopes))
