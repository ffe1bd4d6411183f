"""Scores at full size: what boards, histories and a game's result cost at the database.

Measured is the time that one connection waits for the answers to its statements, and for its
commit where there is one: planning, running and the way there and back, and nothing of Python.
Beside it stands the same without the time in which there was no core to run on, which is what
company costs, and the CPU time of the database's own process.
"""

import random
from collections.abc import Callable, Iterable
from datetime import timedelta
from functools import partial
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.utils import timezone
from uuid_utils.compat import uuid7

from bench.asking import Call, Wait, wait_for
from bench.crowd import LADDER, Crowd, crowd_ready, crowd_warm, player_id
from bench.measure import Ratio, Round, Section, percentile, summarise
from bench.servers import Servers
from games.models import Game, Rating
from games.models.board_classes import TIERS
from games.models.results import OVERALL
from games.projections.ratings import ratings_apply_strictly
from games.projections.results import FinishedGame, FinishedSeat, results_record
from games.rules.events import Result
from games.selectors.leaderboard_list import (
    Board,
    Position,
    leaderboard_around,
    leaderboard_list,
)
from games.selectors.player_totals import totals_list
from games.selectors.rating_list import rating_day_list, rating_history_list
from games.selectors.result_list import result_list
from games.selectors.versus_get import versus_get

PAGE: Final = 51
WARM: Final = 20


class Plan(NamedTuple):
    """How much: players, results, and how often everything is asked."""

    players: int
    results: int
    calls: int


FULL: Final = Plan(players=1_000_000, results=10_000_000, calls=500)
QUICK: Final = Plan(players=2_000, results=20_000, calls=20)


class Task(NamedTuple):
    """What is asked, how many milliseconds 95 of 100 may take, and one such call at random."""

    name: str
    most: float
    call: Callable[[random.Random], Call]


def measure(servers: Servers, plan: Plan) -> Section:
    """Load the crowd unless it is there, then ask."""
    crowd = crowd_ready(plan.players, plan.results, servers.folder, servers.superuser_url)
    crowd_warm(servers.superuser_url)
    rows, ratios, notes = [], [], []
    for task in _tasks(crowd):
        waits = _asked(task, plan.calls)
        whole, alone, cpu = zip(*waits, strict=True)
        spent = {"db": sum(cpu)} if any(cpu) else {}
        rows.append(summarise(task.name, "calls/s", [Round(plan.calls, sum(whole), whole, spent)]))
        wait, undisturbed, busy = map(_p95, (whole, alone, cpu))
        name = f"{task.most:.0f} ms / p95 of: {task.name}"
        by_cpu = task.most / busy if busy else None
        ratios.append(Ratio(name, task.most / wait, by_cpu, 1.0, True))
        notes.append(
            f"p95 of {task.name}: {wait:.2f} ms, {undisturbed:.2f} ms without waiting for a core,"
            f" CPU {busy:.2f} ms"
        )
    title = f"Scores: {plan.players:,} players, {plan.results:,} results, at the database"
    return Section(title, rows, ratios, notes)


def _tasks(crowd: Crowd) -> list[Task]:
    applying = Task("applying a game's result", 10, partial(_new_game, crowd))
    return [*_board_tasks(crowd), *_player_tasks(crowd), applying]


def _board_tasks(crowd: Crowd) -> list[Task]:
    boards = [Board(ladder, crowd.season) for ladder in (LADDER, OVERALL)]

    def filtered(rng: random.Random) -> Board:
        kind, established = rng.choice([(None, True), ("human", False), ("bot", True)])
        return Board(OVERALL, crowd.season, kind, established, rng.choice(TIERS))

    def top(rng: random.Random) -> Call:
        return partial(leaderboard_list, board=rng.choice(boards), after=None, limit=PAGE)

    def page(board: Board, rng: random.Random) -> Call:
        row = Rating.objects.get(
            player_id=_someone(crowd, rng), ladder=board.ladder, season=board.season
        )
        after = Position(row.rating, row.player_id)
        return partial(leaderboard_list, board=board, after=after, limit=PAGE)

    def around(board: Board, rng: random.Random) -> Call:
        return partial(leaderboard_around, board=board, player_id=_someone(crowd, rng), limit=PAGE)

    return [
        Task("top page", 5, top),
        Task("page by cursor", 5, lambda rng: page(rng.choice(boards), rng)),
        Task("page by cursor, filtered", 5, lambda rng: page(filtered(rng), rng)),
        Task("around me with ranks", 10, lambda rng: around(rng.choice(boards), rng)),
        Task("around me, filtered", 10, lambda rng: around(filtered(rng), rng)),
    ]


def _player_tasks(crowd: Crowd) -> list[Task]:
    busy = player_id(0)

    def of_player(read: Callable[..., object], **more: object) -> Callable[[random.Random], Call]:
        """Of anybody, and one time in ten of the one who is busy."""

        def ask(rng: random.Random) -> Call:
            who = busy if rng.random() < 0.1 else _someone(crowd, rng)
            return partial(read, player_id=who, **more)

        return ask

    def versus(rng: random.Random) -> Call:
        other = player_id(1 + rng.randrange(crowd.players - 1))
        return partial(versus_get, player_id=busy, versus_id=other, viewer_id=busy, last=10)

    def shown(rng: random.Random) -> Call:
        return of_player(result_list, viewer_id=_someone(crowd, rng), limit=PAGE)(rng)

    history: dict[str, Any] = {"ladder": OVERALL, "limit": PAGE}
    return [
        Task("results of a player", 10, of_player(result_list, limit=PAGE)),
        Task("results, as another player sees them", 10, shown),
        Task("rating history", 10, of_player(rating_history_list, **history)),
        Task("rating history by day", 10, of_player(rating_day_list, **history)),
        Task("totals of a player", 10, of_player(totals_list)),
        Task("two players", 10, versus),
    ]


def _someone(crowd: Crowd, rng: random.Random) -> UUID:
    return player_id(rng.randrange(crowd.players))


def _asked(task: Task, calls: int) -> list[Wait]:
    """Every call, after some to warm up."""
    rng = random.Random(task.name)
    for _ in range(WARM):
        task.call(rng)()
    return [wait_for(task.call(rng)) for _ in range(calls)]


def _p95(times: Iterable[float]) -> float:
    """In milliseconds."""
    return percentile(sorted(times), 0.95) or 0.0


def _new_game(crowd: Crowd, rng: random.Random) -> Call:
    """A rated game that has just ended, its result not applied yet."""
    seats = [
        FinishedSeat(seat, player_id(number))
        for seat, number in enumerate(rng.sample(range(crowd.players), 4))
    ]
    game = FinishedGame(
        game_id=uuid7(),
        ruleset=LADDER,
        options={},
        rated=True,
        private=False,
        seats=tuple(seats),
        result=Result(
            durak=3,
            draw=False,
            winner=0,
            places=((0,), (1,), (2,), (3,)),
            reason="played_out",
        ),
        finished_at=timezone.now() - timedelta(seconds=1),
    )
    secret = bytes(32)
    Game.objects.create(
        id=game.game_id,
        creator_id=seats[0].player_id,
        ruleset=LADDER,
        visibility="public",
        rated=True,
        match_id=game.game_id,
        seats=len(seats),
        status="finished",
        head_hash=secret,
        server_seed=secret,
        chain_secret=secret,
        bot_secret=secret,
        created_at=game.finished_at,
        finished_at=game.finished_at,
    )
    results_record(game=game)
    return partial(ratings_apply_strictly, game.game_id)
