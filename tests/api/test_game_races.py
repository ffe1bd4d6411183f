"""Many clients of a real server want the same thing at the same moment."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from threading import Thread, Timer
from typing import Any
from uuid import UUID

import pytest

from games.models import Game, GameEvent, GameSeat
from games.store import log
from tests.api.serving import Answer, WebServer
from tests.api.tables import Person, open_game, people, pick, view_of, who_acts
from tests.tables import head_of, play_out
from tests.threads import at_once

# One server does for all of them, and one process of the test run.
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("web_server")]
MANY = 8
Post = Callable[..., Answer]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None) -> Iterator[WebServer]:
    """Two processes of four threads each."""
    server = WebServer(tmp_path_factory.mktemp("w"))
    server.start()
    yield server
    server.stop()


@pytest.fixture
def post(server: WebServer) -> Post:
    """``post(player, path, body, **headers)``"""

    def call(player: Person, path: str, body: Any = None, **headers: str) -> Answer:
        return server.call("POST", path, player.token, body, **headers)

    return call


def codes(answers: list[Answer]) -> Counter[str | int]:
    """How often each status, or code of a refusal, came back."""
    return Counter(answer.code or answer.status for answer in answers)


def numbers(path: str) -> list[int]:
    """The numbers in a game's log."""
    rows = GameEvent.objects.filter(game=UUID(path[7:])).order_by("seq")
    return list(rows.values_list("seq", flat=True))


def check_log(path: str) -> None:
    """The log has no gap, ends where the row says, and folds to what the row says."""
    row = Game.objects.get(id=UUID(path[7:]))
    assert numbers(path) == list(range(1, row.version + 1))
    assert head_of(row.id).game == log.replay(row.id)


def test_one_of_two_gets_the_last_seat(post: Post) -> None:
    ann, bob, cat = people(3)
    for _ in range(5):
        path = open_game(ann, seats=2)
        answers = at_once([partial(post, who, f"{path}/join", {}) for who in (bob, cat)])
        assert codes(answers) == {200: 1, "game.full": 1}
        [answer] = [answer for answer in answers if answer.status == 200]
        assert answer.json()["seats"][0]["player"] == "ann"
        assert GameSeat.objects.filter(game=UUID(path[7:])).count() == 2
        check_log(path)


def test_as_many_sit_down_as_there_are_seats(post: Post) -> None:
    ann, *others = people(6)
    path = open_game(ann, seats=4)
    answers = at_once([partial(post, who, f"{path}/join", {}) for who in others])
    assert codes(answers) == {200: 3, "game.full": 2}
    seats = [answer.json()["you"]["seat"] for answer in answers if answer.status == 200]
    assert sorted(seats) == [1, 2, 3]
    check_log(path)


def test_nobody_sits_down_twice(post: Post) -> None:
    ann, bob = people(2)
    path = open_game(ann, seats=6)
    answers = at_once([partial(post, bob, f"{path}/join", {})] * MANY)
    assert codes(answers) == {200: 1, "game.already_joined": MANY - 1}
    check_log(path)


def test_a_game_is_started_once(post: Post) -> None:
    ann, bob = people(2)
    path = open_game(ann, bob, auto_start=False)
    answers = at_once([partial(post, ann, f"{path}/start", {})] * MANY)
    assert codes(answers) == {200: 1, "game.running": MANY - 1}
    assert GameEvent.objects.filter(game=UUID(path[7:]), type="cards_dealt").count() == 1
    check_log(path)


def test_who_leaves_while_the_game_starts_has_left_or_plays(post: Post) -> None:
    ann, bob = people(2)
    for _ in range(4):
        path = open_game(ann, bob, auto_start=False)
        started, left = at_once(
            [partial(post, ann, f"{path}/start", {}), partial(post, bob, f"{path}/leave", {})]
        )
        assert left.status == 200
        status = Game.objects.get(id=UUID(path[7:])).status
        assert (started.code, status) in {(None, "running"), ("game.not_started", "open")}
        check_log(path)


def test_of_moves_for_one_version_one_is_played(post: Post) -> None:
    ann, bob = people(2)
    path = open_game(ann, bob)
    for _ in range(3):
        mover, view = who_acts((ann, bob), path)
        body, version = pick(view, random.Random(1)), view["version"]
        tag = f'"v{version}"'
        answers = at_once([partial(post, mover, f"{path}/moves", body, if_match=tag)] * MANY)
        assert codes(answers) == {201: 1, "move.stale_version": MANY - 1}
        [answer] = [answer for answer in answers if answer.status == 201]
        stale = {answer.json()["version"] for answer in answers if answer.status == 412}
        assert stale == {answer.json()["version"]}
        check_log(path)


def test_without_a_version_moves_are_judged_one_after_the_other(post: Post) -> None:
    ann, bob = people(2)
    path = open_game(ann, bob)
    mover, view = who_acts((ann, bob), path)
    cards = [{"type": "attack", "card": card} for card in view["you"]["hand"]]
    answers = at_once([partial(post, mover, f"{path}/moves", body) for body in cards])
    assert codes(answers) == {201: 1, "move.wrong_phase": len(cards) - 1}
    assert numbers(path)[-1] == view["version"] + 1
    check_log(path)


def test_retries_at_once_are_one_move(post: Post) -> None:
    ann, bob = people(2)
    path = open_game(ann, bob)
    for number in range(3):
        mover, view = who_acts((ann, bob), path)
        body = pick(view, random.Random(2))
        tag = {"idempotency_key": f"k{number}"}
        answers = at_once([partial(post, mover, f"{path}/moves", body, **tag)] * MANY)
        told_once(answers, 201)
        assert numbers(path)[-1] == answers[0].json()["version"]
        check_log(path)


def test_retries_at_once_are_one_game_and_one_seat(post: Post) -> None:
    ann, bob = people(2)
    table = {"ruleset": "throw_in", "seats": 3}
    answers = at_once([partial(post, ann, "/games", table, idempotency_key="k")] * MANY)
    told_once(answers, 201)
    path = f"/games/{Game.objects.get().id}"
    answers = at_once([partial(post, bob, f"{path}/join", {}, idempotency_key="k")] * MANY)
    told_once(answers, 200)
    assert GameSeat.objects.count() == 2
    check_log(path)


def told_once(answers: list[Answer], status: int) -> None:
    """All got the same answer, and all but one know that it had been given before."""
    assert {(answer.status, answer.content) for answer in answers} == {(status, answers[0].content)}
    replayed = [answer.headers.get("idempotency-replayed") for answer in answers]
    assert Counter(replayed) == {None: 1, "true": len(answers) - 1}


def test_who_calls_at_once_plays_one_rematch(post: Post) -> None:
    players = people(4)
    path = open_game(*players, bots=[{"brain": "greedy"}], seats=5)
    for _ in range(3):
        play_out(UUID(path[7:]), random.Random(7))
        calls = [partial(post, who, f"{path}/rematch", {}) for who in players] * 3
        answers = at_once(calls)
        assert codes(answers) == {200: len(calls)}
        [key] = {answer.json()["id"] for answer in answers}
        seats = {(answer.json()["you"]["seat"], n % 4) for n, answer in enumerate(answers)}
        assert seats == {(seat, seat) for seat in range(4)}
        path = f"/games/{key}"
        assert Game.objects.exclude(status="finished").get().id == UUID(key)
        assert GameEvent.objects.filter(game=key, type="cards_dealt").count() == 1
        assert GameSeat.objects.filter(game=key).count() == 5
        check_log(path)


def test_retries_at_once_are_one_rematch(post: Post) -> None:
    ann, bob = people(2)
    path = open_game(ann, bob)
    assert bob.post(f"{path}/resign").status_code == 200
    answers = at_once([partial(post, ann, f"{path}/rematch", {}, idempotency_key="k")] * MANY)
    told_once(answers, 200)
    assert Game.objects.count() == 2
    check_log(f"/games/{answers[0].json()['id']}")


class Hasty(Thread):
    """A client that plays whatever is legal, as fast as it can, beside others like it."""

    def __init__(self, server: WebServer, player: Person, path: str, seed: int) -> None:
        super().__init__()
        self.server, self.player, self.path = server, player, path
        self.rng = random.Random(seed)
        self.played: list[tuple[int, int]] = []
        self.refused: Counter[str] = Counter()

    def run(self) -> None:
        """Until the game is finished."""
        while (view := self.look())["status"] == "running":
            if view["you"]["legal_moves"]:
                self.play(view)

    def look(self) -> Any:
        """The view."""
        return self.server.call("GET", self.path, self.player.token).json()

    def play(self, view: Any) -> None:
        """A move for the version that was seen."""
        body, tag = pick(view, self.rng), f'"v{view["version"]}"'
        moves = f"{self.path}/moves"
        answer = self.server.call("POST", moves, self.player.token, body, if_match=tag)
        if answer.code is not None:
            self.refused[answer.code] += 1
            return
        seqs = [event["seq"] for event in answer.json()["events"]]
        self.played.append((seqs[0], seqs[-1]))


def test_hasty_clients_play_one_game_together(server: WebServer) -> None:
    """Every move that was acknowledged is in the log, whole, once, and nothing else is."""
    players = people(3)
    path = open_game(*players, options={"deck_size": 24})
    began = view_of(players[0], path)["version"]
    clients = [Hasty(server, player, path, seed) for seed in (1, 2) for player in players]
    for client in clients:
        client.start()
    for client in clients:
        client.join(60)
        assert not client.is_alive()
    played = sorted(span for client in clients for span in client.played)
    assert all(before[1] + 1 == after[0] for before, after in pairwise(played))
    assert (played[0][0], played[-1][1]) == (began + 1, view_of(players[0], path)["version"])
    refused = sum((client.refused for client in clients), Counter())
    assert set(refused) <= {"move.stale_version"}
    check_log(path)


def test_a_server_that_is_killed_loses_nothing_and_doubles_nothing(server: WebServer) -> None:
    """A client that got no answer repeats its request with the same key."""
    ann, bob = people(2)
    path = open_game(ann, bob)
    rng, lost = random.Random(5), None
    acknowledged: list[Answer] = []
    killer = Timer(0.2, server.kill)
    killer.start()
    while lost is None:
        mover, view = who_acts((ann, bob), path)
        request = ("POST", f"{path}/moves", mover.token, pick(view, rng))
        key = f"k{len(acknowledged)}"
        answer = server.try_call(*request, idempotency_key=key)
        lost = request if answer is None else None
        acknowledged += [answer] if answer is not None else []
    killer.join()
    server.start()
    acknowledged.append(server.call(*lost, idempotency_key=f"k{len(acknowledged)}"))
    assert {answer.status for answer in acknowledged} == {201}
    spans = [[event["seq"] for event in answer.json()["events"]] for answer in acknowledged]
    assert all(before[-1] + 1 == after[0] for before, after in pairwise(spans))
    assert numbers(path)[-1] == spans[-1][-1]
    check_log(path)
