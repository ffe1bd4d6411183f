"""The API over HTTP beside what a bare Django view and bare psycopg make of the same SQL.

All of them use one durable PostgreSQL, run the same statements with the same parameters on equal
games (`bench.rehearsal`), and take turns. The moves are the first of random games for two, with
`If-Match`; the views are those of a seat in mid-game. The API and the bare view are served by the
same server with the same flags, and asked over a socket file, as the front does. What the ratios
show is the price of everything that is not SQL: the frame of the API, its limits, the rules, the
hash chain, the view.
"""

from collections.abc import Callable, Sequence
from typing import Final
from uuid import UUID

from bench import direct, load, servers
from bench.exchange import Exchange
from bench.load import Address, Work
from bench.measure import Round, Section, compare, interleave, summarise
from bench.rehearsal import Sample
from bench.stage import CONNECTIONS, Plan, Stage, stage_set

API, BARE, PSYCOPG = "API", "bare Django view", "bare psycopg"
FRONT: Final = "API through the front"
MOVES_WANTED, VIEWS_WANTED = 0.55, 0.60
MOVES_AIM: Final = "to aim at on two idle cores: 800 moves/s, p99 at most 75 ms"
VIEWS_AIM: Final = "to aim at on two idle cores: 2,000 views/s"

Write = Callable[[Exchange, UUID], bytes]
Pick = Callable[[Sample], Exchange]


def measure(using: servers.Servers, plan: Plan) -> list[Section]:
    """The tables of moves, of views, and of views that have not changed."""
    with stage_set(using, plan, contenders=3) as stage:
        return [
            _moves(stage),
            _views(stage, "Views (200)", lambda sample: sample.view, [VIEWS_AIM]),
            _views(stage, "Views that have not changed (304)", lambda sample: sample.unchanged, []),
        ]


def _moves(stage: Stage) -> Section:
    at = stage.addresses
    played = interleave(
        {
            API: lambda: _move(stage, at.api, Exchange.request, servers.API),
            BARE: lambda: _move(stage, at.bare, Exchange.bare_request, servers.BARE),
            PSYCOPG: lambda: _move_directly(stage),
        },
        stage.plan.rounds,
    )
    rows = [summarise(name, "moves/s", rounds) for name, rounds in played.items()]
    ratios = [
        compare(played, API, BARE, MOVES_WANTED, binding=True),
        compare(played, API, PSYCOPG),
    ]
    notes = [*_sizes(stage.samples[0].moves), MOVES_AIM]
    return Section(f"Durable moves, {CONNECTIONS} connections", rows, ratios, notes)


def _views(stage: Stage, title: str, pick: Pick, notes: Sequence[str]) -> Section:
    at = stage.addresses
    played = interleave(
        {
            API: lambda: _look(stage, at.api, Exchange.request, pick, web=servers.API),
            BARE: lambda: _look(stage, at.bare, Exchange.bare_request, pick, web=servers.BARE),
            FRONT: lambda: _look(
                stage, at.front, Exchange.request, pick, web=servers.API, front=servers.FRONT
            ),
        },
        stage.plan.rounds,
    )
    rows = [summarise(name, "views/s", rounds) for name, rounds in played.items()]
    ratios = [
        compare(played, API, BARE, VIEWS_WANTED, binding=True),
        compare(played, FRONT, API),
    ]
    sizes = _sizes([pick(sample) for sample in stage.samples])
    return Section(f"{title}, {CONNECTIONS} connections", rows, ratios, [*sizes, *notes])


def _move(stage: Stage, address: Address, write: Write, server: str) -> Round:
    lanes = [
        [write(move, game) for game in stage.new_games(lane) for move in sample.moves]
        for lane, sample in enumerate(stage.lanes())
    ]
    work = Work(address, lanes, status=201)
    return stage.measured(
        load.drive, work, stage.plan.seconds, web=server, postgres=servers.POSTGRES
    )


def _move_directly(stage: Stage) -> Round:
    lanes = [
        [(move.number, game) for game in stage.new_games(lane) for move in sample.moves]
        for lane, sample in enumerate(stage.lanes())
    ]
    ours = stage.servers
    calls = direct.Calls(ours.environment["DATABASE_URL"], ours.exchanges, lanes)
    return stage.measured(direct.run, calls, stage.plan.seconds, postgres=servers.POSTGRES)


def _look(stage: Stage, address: Address, write: Write, pick: Pick, **spenders: str) -> Round:
    lanes = [[write(pick(sample), game) for game in sample.shown] for sample in stage.lanes()]
    work = Work(address, lanes, pick(stage.samples[0]).status, again=True)
    return stage.measured(
        load.drive, work, stage.plan.seconds, **spenders, postgres=servers.POSTGRES
    )


def _sizes(exchanges: Sequence[Exchange]) -> list[str]:
    statements = max(len(one.statements) for one in exchanges)
    reply = sum(len(one.reply) for one in exchanges) // len(exchanges)
    return [f"{statements} statements at most, {reply:,} bytes of answer on average"]
