"""A complete client: plays one game of durak against bots and prints how it ended.

    python3 docs/examples/client.py http://127.0.0.1:8000

Standard library only. It shows the three habits of a good client: it plays what `legal_moves`
offers, it says which version of the game it answers to, and it repeats a request whose answer got
lost under the same Idempotency-Key, so that no move is ever played twice.
"""

import json
import sys
import urllib.error
import urllib.request
import uuid

BASE = (sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000") + "/api/v1"
token = ""


def call(method, path, body=None, **headers):
    """Ask the server and return its JSON; a problem becomes an exception with its text."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(BASE + path, data, method=method)
    request.add_header("Content-Type", "application/json")
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    for name, value in headers.items():
        request.add_header(name.replace("_", "-"), value)
    for attempt in range(5):
        try:
            with urllib.request.urlopen(request, timeout=70) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as problem:
            raise SystemExit(problem.read().decode()) from None
        except OSError:
            if attempt == 4:
                raise
    return None


def choose(patterns):
    """The first offer, with as few of its cards as it allows."""
    move = {name: value for name, value in patterns[0].items() if name not in ("min", "max")}
    if "cards" in move:
        move["cards"] = move["cards"][: patterns[0]["min"]]
    return move


player = call("POST", "/players", {"name": "client-" + uuid.uuid4().hex[:8]})
token = player["token"]
table = {"ruleset": "throw_in", "seats": 3, "bots": [{"brain": "greedy"}, {"brain": "random"}]}
game = call("POST", "/games", table, Idempotency_Key=uuid.uuid4().hex)
address = "/games/" + game["id"]
while game["status"] != "finished":
    if game["you"]["legal_moves"]:
        keys = {"If_Match": f'"v{game["version"]}"', "Idempotency_Key": uuid.uuid4().hex}
        game = call("POST", address + "/moves", choose(game["you"]["legal_moves"]), **keys)["view"]
    else:
        call("GET", f"{address}/events?after={game['version']}&wait=25")
        game = call("GET", address)

names = [seat["player"] for seat in game["seats"]]
durak = game["result"]["durak"]
print("A draw." if durak is None else f"The durak is {names[durak]}.")
