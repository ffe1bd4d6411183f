"""Games over HTTP on the office's server: of both families, public and private, in mid-game."""

import random
import re
from typing import Any, NamedTuple

from tests.admin.office import OfficeServer
from tests.tables import choose

TABLES: list[dict[str, Any]] = [
    {"ruleset": "throw_in"},
    {"ruleset": "transfer.face_out"},
    {"ruleset": "mau_mau"},
    {"ruleset": "throw_in", "visibility": "private"},
    {"ruleset": "throw_in", "rated": True},
]
CARD = re.compile(r"\b(?:[2-9TJQKA][SHDC])\b")


class Played(NamedTuple):
    """A game: its row's secrets, and the cards that nobody who watches has seen."""

    id: str
    is_over: bool
    secrets: tuple[str, ...]
    hidden: frozenset[str]


def play_games(server: OfficeServer) -> list[Played]:
    """Open every table, play some moves; the last game is resigned."""
    rng = random.Random(5)
    tokens = [
        server.api("POST", "/players", body={"name": name})["token"] for name in ("ann", "bob")
    ]
    games = [play_game(server, tokens, table, rng) for table in TABLES]
    server.api("POST", f"/games/{games[-1]}/resign", tokens[0])
    return [_played(server, tokens, game) for game in games]


def play_game(
    server: OfficeServer, tokens: list[str], table: dict[str, Any], rng: random.Random
) -> str:
    """Open a table of two and play some moves; the id of the game."""
    opened = server.api("POST", "/games", tokens[0], {"seats": 2, **table})
    invite = {"invite": opened["invite"]} if "invite" in opened else {}
    path = f"/games/{opened['id']}"
    server.api("POST", f"{path}/join", tokens[1], invite)
    for _ in range(6):
        to_act = server.api("GET", path, tokens[0])["to_act"]
        if to_act:
            view = server.api("GET", path, tokens[to_act[0]])
            server.api(
                "POST", f"{path}/moves", tokens[to_act[0]], choose(view["you"]["legal_moves"], rng)
            )
    return str(opened["id"])


def _played(server: OfficeServer, tokens: list[str], game: str) -> Played:
    ((status, visibility, *secrets),) = server.rows(
        "SELECT status, visibility, encode(server_seed, 'hex'), encode(chain_secret, 'hex'),"
        " encode(bot_secret, 'hex'), encode(snapshot, 'hex'), invite"
        " FROM games_game WHERE id = %s",
        game,
    )
    hidden: frozenset[str] = frozenset()
    if status == "running" and visibility == "public":
        watched = str(server.api("GET", f"/games/{game}"))
        watched += str(server.api("GET", f"/games/{game}/events?limit=1000"))
        ((facts,),) = server.rows(
            "SELECT string_agg(data::text, ' ') FROM games_gameevent WHERE game_id = %s", game
        )
        hidden = frozenset(CARD.findall(facts)) - frozenset(CARD.findall(watched))
    return Played(game, status == "finished", tuple(one for one in secrets if one), hidden)
