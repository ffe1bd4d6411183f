"""An exchange recorded for one game is replayed for another."""

from pathlib import Path
from uuid import UUID

from bench.exchange import Exchange, Statement, exchanges_read, exchanges_write

GAME, OTHER = UUID(int=1), UUID(int=2)
EXCHANGE = Exchange(
    number=0,
    game=GAME,
    method="POST",
    path=f"/api/v1/games/{GAME}/moves",
    headers={"Authorization": "Bearer x"},
    body=b"{}",
    statements=(
        Statement("token", (b"digest",), inside=False),
        Statement("lock", (GAME,), inside=True),
        Statement("append", (7, GAME, [8, 9]), inside=True),
    ),
    status=201,
    reply=b"[]",
)


def test_the_other_game_stands_in_the_path() -> None:
    head, _, body = EXCHANGE.request(OTHER).partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    assert lines[0] == f"POST /api/v1/games/{OTHER}/moves HTTP/1.1"
    assert "Content-Length: 2" in lines
    assert body == b"{}"
    assert EXCHANGE.bare_request(OTHER).startswith(f"POST /0/{OTHER} HTTP/1.1\r\n".encode())


def test_the_other_game_stands_in_the_parameters_of_the_same_transactions() -> None:
    blocks = [(inside, list(statements)) for inside, statements in EXCHANGE.blocks(OTHER)]
    assert blocks == [
        (False, [("token", [b"digest"])]),
        (True, [("lock", [OTHER]), ("append", [7, OTHER, [8, 9]])]),
    ]


def test_exchanges_reach_other_processes(tmp_path: Path) -> None:
    exchanges_write(tmp_path / "file", [EXCHANGE])
    assert exchanges_read(tmp_path / "file") == [EXCHANGE]
