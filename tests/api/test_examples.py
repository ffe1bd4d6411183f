"""The examples of the schema are answers that this server gave.

`UPDATE_EXAMPLES=1 pytest tests/api/test_examples.py` records them anew.
"""

import os
from typing import Any
from uuid import UUID

import jsonschema
import msgspec
import pytest

from bots.analysis.work import analysis_go_on
from bots.brains.patterns import smallest
from bots.services import turn_play
from games.api.examples import FOLDER
from games.api.operations import JSON
from tests.api.conftest import Api

LONGEST_LIST = 3
POSITION = {"hands": [["6S", "7H"], ["8S", "9C"]], "trump": "H", "talon": [], "attacker": 0}
REFEREE = {
    "ruleset": "throw_in",
    "position": POSITION,
    "moves": [
        {"seat": 0, "move": {"type": "attack", "cards": ["6S"]}},
        {"seat": 1, "move": {"type": "beat", "target": "6S", "card": "8S"}},
    ],
}


class Recorder:
    """Makes calls and keeps what was sent and answered, by operation."""

    def __init__(self) -> None:
        self.taken: dict[str, dict[str, Any]] = {}

    def call(self, name: str, who: Api, method: str, path: str, body: Any = None) -> Any:
        """The answer to a call that must succeed, kept as the example of operation `name`."""
        response = who.call(method, path, body)
        assert response.status_code in {200, 201, 202, 204}, response.content
        if response.content:
            answer = response.json()
            request = {} if body is None else {"request": body}
            self.taken[name] = {**request, "answer": shortened(answer)}
            return answer
        return None


def shortened(value: Any) -> Any:
    """The value with long lists cut: an example shows the form of an item, not all of them."""
    if isinstance(value, list):
        return [shortened(item) for item in value[:LONGEST_LIST]]
    if isinstance(value, dict):
        return {name: shortened(item) for name, item in value.items()}
    return value


def accounts(take: Recorder) -> tuple[Api, Api]:
    """Two players, and everything about accounts."""
    guest = Api()
    body = {"name": "ann", "password": "correct horse"}
    ann = Api(take.call("player_register", guest, "POST", "/players", body)["token"])
    bob = Api(guest.post("/players", {"name": "bob"}).json()["token"])
    wish = body | {"scopes": ["games:read", "games:play"], "label": "laptop", "expires_in": 86400}
    take.call("token_sign_in", guest, "POST", "/tokens", wish)
    take.call("token_list", ann, "GET", "/tokens")
    take.call("player_me", ann, "GET", "/players/me")
    take.call("player_update", ann, "PATCH", "/players/me", {"language": "en"})
    take.call("player_get", guest, "GET", "/players/ann")
    rob = Api(guest.post("/players", {"name": "rob", "kind": "bot"}).json()["token"])
    profile = {"rulesets": ["throw_in", "transfer"], "seats": [2, 3], "concurrency": 4}
    take.call("bot_profile_set", rob, "PUT", "/players/me/bot-profile", profile)
    take.call("bot_profile_get", rob, "GET", "/players/me/bot-profile")
    return ann, bob


def tables(take: Recorder, ann: Api, bob: Api) -> None:
    """Tables that are opened, filled, left and returned to."""
    wait = {"ruleset": "throw_in", "seats": 3, "auto_start": False}
    table = f"/games/{ann.post('/games', wait).json()['id']}"
    bob.post(f"{table}/join", {})
    take.call("game_leave", bob, "POST", f"{table}/leave")
    bob.post(f"{table}/join", {})
    take.call("client_seed_set", ann, "PUT", f"{table}/client-seed", {"seed": "another"})
    take.call("game_bot_add", ann, "POST", f"{table}/bots", {"brain": "greedy"})
    take.call("game_start", ann, "POST", f"{table}/start")
    bob.post(f"{table}/leave")
    take.call("game_return", bob, "POST", f"{table}/return")


def game(take: Recorder, ann: Api, bob: Api) -> None:
    """A rated game from its opening to its replay."""
    body = {"ruleset": "throw_in", "seats": 2, "rated": True, "client_seed": "ann's own"}
    place = f"/games/{take.call('game_create', ann, 'POST', '/games', body)['id']}"
    take.call("game_join", bob, "POST", f"{place}/join", {"client_seed": "bob's own"})
    players = (ann, bob)
    first = take.call("game_get", ann, "GET", place)["to_act"][0]
    cards = players[first].get(place).json()["you"]["legal_moves"][0]["cards"][:1]
    move = {"type": "attack", "cards": cards}
    take.call("move_play", players[first], "POST", f"{place}/moves", move)
    take.call("event_list", players[1 - first], "GET", f"{place}/events?after=3&limit=100")
    take.call("game_resign", bob, "POST", f"{place}/resign")
    take.call("game_replay", Api(), "GET", f"{place}/replay")
    take.call("game_fairness", Api(), "GET", f"{place}/fairness")
    whole = Api().get(f"{place}/replay").json()
    take.call("replay_check", Api(), "POST", "/replays", whole)
    seed = {"client_seed": "bob's next"}
    match = take.call("game_rematch", bob, "POST", f"{place}/rematch", seed)["match"]["id"]
    take.call("match_get", Api(), "GET", f"/matches/{match}")
    take.call("game_list", Api(), "GET", "/games")


def bots(take: Recorder, ann: Api) -> None:
    """A game with a bot that thinks about one move, and what it did for it."""
    body = {"ruleset": "throw_in", "seats": 2, "bots": [{"brain": "ismcts-100"}]}
    place = f"/games/{ann.post('/games', body).json()['id']}"
    view = ann.get(place).json()
    if moves := view["you"]["legal_moves"]:
        view = ann.post(f"{place}/moves", smallest(moves[0])).json()
    turn_play(game_id=UUID(place[7:]), version=view["version"])
    ann.post(f"{place}/resign")
    take.call("game_decisions", Api(), "GET", f"{place}/decisions")
    take.call("game_analysis_ask", ann, "POST", f"{place}/analysis")
    while ann.get(f"{place}/analysis").json()["status"] != "done":
        analysis_go_on(game_id=UUID(place[7:]))
    take.call("game_analysis_get", Api(), "GET", f"{place}/analysis")


def lobby(take: Recorder, ann: Api, bob: Api) -> None:
    """A game with whomever."""
    wish = {"rulesets": ["throw_in", "transfer"], "seats": [2, 3], "bots": 20}
    ticket = take.call("quick_match_create", ann, "POST", "/quick-matches", wish)
    place = f"/quick-matches/{ticket['id']}"
    bob.post("/quick-matches", {"rulesets": ["throw_in"], "seats": [2]})
    take.call("quick_match_get", ann, "GET", place)
    take.call("own_game_list", ann, "GET", "/players/me/games?status=running")


def news(take: Recorder, ann: Api) -> None:
    """What is told of games, and to where."""
    take.call("player_event_list", ann, "GET", "/players/me/events?limit=3")
    take.call("stream_ticket", ann, "POST", "/stream-tickets", {})
    body = {"url": "https://example.com/durak", "events": ["turn.yours", "game.finished"]}
    place = f"/webhooks/{take.call('webhook_create', ann, 'POST', '/webhooks', body)['id']}"
    take.call("webhook_list", ann, "GET", "/webhooks")
    take.call("webhook_get", ann, "GET", place)
    take.call("webhook_update", ann, "PATCH", place, {"label": "my server"})
    take.call("webhook_rotate", ann, "POST", f"{place}/secret", {})
    take.call("webhook_test", ann, "POST", f"{place}/test", {})
    take.call("webhook_deliveries", ann, "GET", f"{place}/deliveries")


def scores(take: Recorder, ann: Api) -> None:
    """What became of the rated game."""
    take.call("leaderboard_ladders", ann, "GET", "/leaderboards")
    take.call("leaderboard_get", ann, "GET", "/leaderboards/throw_in")
    take.call("player_results", ann, "GET", "/players/ann/results")
    take.call("player_ratings", ann, "GET", "/players/ann/ratings")
    take.call("player_totals", ann, "GET", "/players/ann/totals")
    take.call("player_versus", ann, "GET", "/players/ann/versus/bob")
    take.call("player_rating_history", ann, "GET", "/players/ann/rating-history")


def service(take: Recorder) -> None:
    """What the server says of itself."""
    take.call("ruleset_list", Api(), "GET", "/rulesets")
    take.call("ruleset_get", Api(), "GET", "/rulesets/throw_in")
    take.call("referee", Api(), "POST", "/referee", REFEREE)
    take.call("limits", Api(), "GET", "/limits")
    take.call("problem_list", Api(), "GET", "/problems")
    take.call("problem_get", Api(), "GET", "/problems/game.full")
    take.call("bot_list", Api(), "GET", "/bots")


@pytest.mark.django_db(transaction=True)
def test_examples_are_complete_and_as_published() -> None:
    take = Recorder()
    ann, bob = accounts(take)
    tables(take, ann, bob)
    game(take, ann, bob)
    bots(take, ann)
    news(take, ann)
    lobby(take, ann, bob)
    scores(take, ann)
    service(take)
    if os.environ.get("UPDATE_EXAMPLES"):
        write(take.taken)
    recorded = {file.stem: msgspec.json.decode(file.read_bytes()) for file in FOLDER.glob("*.json")}
    schema = Api().get("/schema").json()
    published = {
        operation["operationId"]: operation
        for methods in schema["paths"].values()
        for operation in methods.values()
    }
    shown = {name for name, operation in published.items() if answer_schema(operation)}
    assert recorded.keys() == shown - {"schema"}, "record them with UPDATE_EXAMPLES=1"
    for name, example in [*recorded.items(), *take.taken.items()]:
        shape = answer_schema(published[name]) | {"components": schema["components"]}
        jsonschema.validate(example["answer"], shape)
        assert example["answer"].keys() == take.taken[name]["answer"].keys(), name


def answer_schema(operation: dict[str, Any]) -> dict[str, Any]:
    """The schema of an operation's JSON answer, empty if it has none."""
    responses = operation["responses"].items()
    answer = next(response for status, response in responses if status.startswith("2"))
    schema: dict[str, Any] = answer.get("content", {}).get(JSON, {}).get("schema", {})
    return schema


def write(examples: dict[str, dict[str, Any]]) -> None:
    """Replace the recorded files."""
    FOLDER.mkdir(exist_ok=True)
    for file in FOLDER.glob("*.json"):
        file.unlink()
    for name, example in examples.items():
        text = msgspec.json.format(msgspec.json.encode(example), indent=2)
        (FOLDER / f"{name}.json").write_bytes(text + b"\n")
