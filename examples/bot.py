"""A bot that plays over the public API: it lets itself be invited, and plays whatever it sits at.

    python examples/bot.py http://127.0.0.1:8000 my-bot its-password [TABLE]

TABLE is the id of a game to join, or `new` to open one against a bot of the server's; then it stops
when that game is over.
Needs httpx. How it works: docs/bots.md.
"""

import random
import sys
import time
import uuid

import httpx

ADDRESS, NAME, PASSWORD = sys.argv[1:4]
NOT_SENT = ("min", "max", "first", "suits", "suit_required")
PROFILE = {"rulesets": ["throw_in", "transfer"], "seats": [2, 3, 4], "concurrency": 4}
server = httpx.Client(base_url=ADDRESS, timeout=60)


def ask(method, path, headers=None, **more):
    """Ask until there is an answer; the key makes a write that is repeated count once."""
    headers = {"Idempotency-Key": uuid.uuid4().hex, **(headers or {})}
    while True:
        try:
            answer = server.request(method, path, headers=headers, **more)
            if answer.status_code != 429 and answer.status_code < 500:
                return answer
            pause = float(answer.headers.get("Retry-After", 1))
        except httpx.TransportError:
            pause = 1
        time.sleep(pause)


def sign_in():
    """Register, or sign in if that has been done before."""
    account = {"name": NAME, "password": PASSWORD}
    answer = ask("POST", "/api/v1/players", json=account | {"kind": "bot"})
    if answer.status_code == 409:
        answer = ask("POST", "/api/v1/tokens", json=account)
    server.headers["Authorization"] = "Bearer " + answer.raise_for_status().json()["token"]


def choose(view):
    """Your part: here any move that is offered, with as few cards as it takes."""
    pattern = random.choice(view["you"]["legal_moves"])
    move = {name: value for name, value in pattern.items() if name not in NOT_SENT}
    for name in ("cards", "slots"):
        if name in move:
            move[name] = move[name][: pattern["min"]]
    return move | ({"suit": pattern["suits"][0]} if pattern.get("suits") else {})


def play(game):
    """Move as long as it is our turn; a move that came too late is thought over again."""
    view = ask("GET", game).json()
    while view["you"] and view["you"]["seat"] in view["to_act"]:
        tag = {"If-Match": f'"v{view["version"]}"'}
        answer = ask("POST", game + "/moves", tag, json=choose(view))
        view = answer.json()["view"] if answer.status_code == 201 else ask("GET", game).json()


def sit_down(table):
    """The address of the game that it was told to join, or of a new one."""
    if table == "new":
        wish = {"ruleset": "throw_in", "seats": 2, "bots": [{"brain": "greedy"}]}
        return ask("POST", "/api/v1/games", json=wish).raise_for_status().headers["Location"]
    ask("POST", f"/api/v1/games/{table}/join", json={}).raise_for_status()
    return f"/api/v1/games/{table}"


sign_in()
ask("PUT", "/api/v1/players/me/bot-profile", json=PROFILE).raise_for_status()
wanted = sit_down(sys.argv[4]) if len(sys.argv) > 4 else None
follow, over = {"wait": 25}, False
while not over:
    page = ask("GET", "/api/v1/players/me/events", params=follow).json()
    follow["after"] = page["next_after"]
    for event in page["events"]:
        if event["type"] == "your_turn":
            play(event["url"])
        elif event["type"] == "game_finished":
            print(event["url"], "is over", flush=True)
            over = over or event["url"] == wanted
