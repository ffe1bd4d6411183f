"""`make run`: it starts anywhere, stops completely, and survives what may happen in between."""

import json
import os
import secrets
import signal
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path

import psycopg
import pytest

from durak_api.embedded import postgres
from durak_api.embedded.process import Identity, Process
from tests.durak_api.stack import Stack, eventually, stack_at
from tests.servers import wait_until_ready

# Whom PostgreSQL can be made to run as; root has to be somebody else in one of two ways.
IDENTITIES: tuple[Identity, ...] = ("same",) if os.geteuid() else ("namespace", "nobody")
# One process of the test run has the stack.
pytestmark = pytest.mark.xdist_group("stack")


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A stack that the tests below start, hurt and stop in turn."""
    with stack_at(tmp_path_factory.mktemp("stack") / "data") as stack:
        print(f"\nfirst start: {stack.start():.1f} s")
        yield stack


def running(stack: Stack) -> Stack:
    """Return the stack, started if the test before has stopped it."""
    if stack.process is None or stack.process.poll() is not None:
        print(f"\nlater start: {stack.start():.1f} s")
    return stack


def test_says_where_everything_is(stack: Stack) -> None:
    said = running(stack).said()
    assert f"http://127.0.0.1:{stack.port}" in said
    assert f"{stack.folder}/postgres" in said
    assert f"curl -s http://127.0.0.1:{stack.port}/api/v1/players" in said


def test_long_polls_reach_the_streams_process(stack: Stack) -> None:
    servers = {path: server_of(running(stack), path) for path in ("", "?after=0", "?wait=1")}
    assert servers == {"": "granian", "?after=0": "granian", "?wait=1": "uvicorn"}


def test_thinking_yields_to_serving_and_deep_thinking_to_both(stack: Stack) -> None:
    running(stack)
    ours = os.getpriority(os.PRIO_PROCESS, 0)
    for name, nicer in (("web", 0), ("worker", 10), ("thinker", 15)):
        found = os.getpriority(os.PRIO_PROCESS, stack.pid(name))
        assert found == min(ours + nicer, 19), name


def server_of(stack: Stack, query: str) -> str | None:
    """Return the name that the process behind the front gives itself."""
    return get(stack, f"/api/v1/games/none/events{query}").getheader("Server")


def get(stack: Stack, path: str) -> HTTPResponse:
    """Return the front's answer."""
    connection = HTTPConnection("127.0.0.1", stack.port, timeout=10)
    connection.request("GET", path)
    return connection.getresponse()


def register(stack: Stack) -> str:
    """Make a player; return the name. A 503 after a restart of the database is asked again."""
    name = f"ann{secrets.token_hex(4)}"
    assert eventually(lambda: post_player(stack, name) == 201)
    return name


def post_player(stack: Stack, name: str) -> int:
    """Ask for a player once; return the status, which is 201 or 503."""
    connection = HTTPConnection("127.0.0.1", stack.port, timeout=10)
    headers = {"Content-Type": "application/json"}
    connection.request("POST", "/api/v1/players", json.dumps({"name": name}), headers)
    status = connection.getresponse().status
    assert status in (201, 503)
    return status


def test_same_folder_twice_is_refused(stack: Stack) -> None:
    pid = running(stack).process.pid
    second = stack.launch()
    assert second.wait(30) == 1
    assert f"{stack.folder} is in use by process {pid}" in stack.said()


def test_taken_port_is_refused(stack: Stack, tmp_path: Path) -> None:
    other = Stack(tmp_path / "other")
    other.port = running(stack).port
    assert other.launch().wait(30) == 1
    assert f"port {stack.port} on 127.0.0.1 is taken" in other.said()


@pytest.mark.parametrize(
    "name",
    ["valkey", "postgres", "web", "streams", "worker", "thinker", "courier", "beat", "front"],
)
def test_killed_service_comes_back(stack: Stack, name: str) -> None:
    before = running(stack).pid(name)
    os.kill(before, signal.SIGKILL)
    assert eventually(lambda: stack.pid(name) != before)
    assert eventually(stack.answers)
    assert stack.process.poll() is None, "the supervisor has stayed"


def test_interrupt_leaves_nothing(stack: Stack) -> None:
    assert len(running(stack).processes()) >= 9
    assert stack.signal(signal.SIGINT) == 0
    assert stack.processes() == []


def test_killed_supervisor_takes_all_along_and_data_stay(stack: Stack) -> None:
    running(stack)
    name = register(stack)
    stack.signal(signal.SIGKILL)
    print(f"\nstart after SIGKILL: {stack.start():.1f} s")
    assert get(stack, f"/api/v1/players/{name}").status == 200
    stack.signal(signal.SIGKILL)
    assert eventually(lambda: stack.processes() == [])


def test_ordinary_user_may_run_it(tmp_path: Path) -> None:
    with stack_at(tmp_path / "data", identity=postgres.identity()) as stack:
        print(f"\nfirst start of an ordinary user: {stack.start():.1f} s")
        assert stack.signal(signal.SIGTERM) == 0
        assert stack.processes() == []


@pytest.mark.parametrize("who", IDENTITIES)
def test_postgres_under_a_private_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, who: Identity
) -> None:
    tmp_path.chmod(0o700)
    monkeypatch.setattr(postgres, "identity", lambda: who)
    for _ in ("made", "started again"):
        postgres.prepare(tmp_path / "postgres", durable=False)
        process = Process(
            postgres.service(tmp_path / "postgres", tmp_path, durable=False), tmp_path
        )
        process.start()
        wait_until_ready(process)
        with psycopg.connect(postgres.database_url(tmp_path, postgres.APP)) as connection:
            assert connection.execute("SELECT current_user").fetchone() == (postgres.APP,)
        process.stop()


def test_everything_killed_at_once(stack: Stack) -> None:
    running(stack)
    leaders = [stack.pid(name) for name in ("web", "worker", "postgres", "front")]
    for pid in (stack.process.pid, *leaders):
        os.kill(pid, signal.SIGKILL)
    stack.process.wait()
    print(f"\nstart after killing all: {stack.start():.1f} s")
    assert stack.signal(signal.SIGTERM) == 0
    assert stack.processes() == []
