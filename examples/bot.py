"""A bot that plays over the public API: it lets itself be invited, and plays whatever it sits at.

    python examples/bot.py http://127.0.0.1:8000 my-bot its-password [TABLE]

TABLE is the id of a game to join, or `new` to open one against a bot of the server's; then it stops
when that game is over. Needs httpx. How it works: docs/bots.md.
"""

import random
import sys
import time
import uuid

import httpx

address, name, password, *table = sys.argv[1:]
server = httpx.Client(base_url=address + "/api/v1", timeout=60)


def ask(method, path, body=None, **headers):
    """Ask until there is an answer; the key makes a write that is repeated count once."""
    headers = {"Idempotency-Key": uuid.uuid4().hex} | headers
    while True:
        pause = 1
        try:
            answer = server.request(method, path, json=body, headers=headers)
            if answer.status_code not in (429, 500, 502, 503):
                return answer
            pause = float(answer.headers.get("Retry-After", pause))
        except httpx.TransportError:
            pass  # The line is down, or the answer got lost on it.
        time.sleep(pause)


def choose(view):
    """Your part: here any move that is offered, with as few cards as it takes."""
    pattern = random.choice(view["you"]["legal_moves"])
    move = {field: pattern[field] for field in ("type", "target") if field in pattern}
    for field in {"cards", "slots"} & pattern.keys():
        move[field] = pattern[field][: pattern["min"]]
    return move | ({"suit": pattern["suits"][0]} if pattern.get("suits") else {})


def play(game):
    """Move as long as it is our turn; a move that came too late is thought over again."""
    view = ask("GET", game).json()
    while view["you"] and view["you"]["seat"] in view["to_act"]:
        tag = {"If-Match": f'"v{view["version"]}"'}
        answer = ask("POST", game + "/moves", choose(view), **tag)
        view = answer.json()["view"] if answer.status_code == 201 else ask("GET", game).json()


account = {"name": name, "password": password}
signed_in = ask("POST", "/players", account | {"kind": "bot"})
if signed_in.status_code == 409:  # It has registered before.
    signed_in = ask("POST", "/tokens", account)
server.headers["Authorization"] = f"Bearer {signed_in.raise_for_status().json()['token']}"
profile = {"rulesets": ["throw_in", "transfer"], "seats": [2, 3, 4], "concurrency": 4}
ask("PUT", "/players/me/bot-profile", profile).raise_for_status()
if table == ["new"]:
    wish = {"ruleset": "throw_in", "seats": 2, "bots": [{"brain": "greedy"}]}
    table = [ask("POST", "/games", wish).raise_for_status().json()["id"]]
elif table:
    ask("POST", f"/games/{table[0]}/join", {}).raise_for_status()
cursor, over = "", set()
while not table or table[0] not in over:
    page = ask("GET", f"/players/me/events?wait=25{cursor}").json()
    cursor = f"&after={page['next_after']}"
    for event in page["events"]:
        if event["type"] == "your_turn":
            play(f"/games/{event['game_id']}")
        elif event["type"] == "game_finished":
            over.add(event["game_id"])
            print(event["url"], "is over", flush=True)
