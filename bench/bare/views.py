"""Its views."""

import os
from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse

from bench.exchange import exchanges_read

EXCHANGES: Final = exchanges_read(Path(os.environ["BENCH_EXCHANGES"]))


def healthz(_request: HttpRequest) -> HttpResponse:
    """The process answers."""
    return HttpResponse()


def replay(request: HttpRequest, number: int, game: UUID) -> HttpResponse:
    """Read the body, run the statements of an exchange, send its answer."""
    exchange = EXCHANGES[number]
    if len(request.body) != len(exchange.body):
        return HttpResponse(status=400)
    for inside, statements in exchange.blocks(game):
        with transaction.atomic(savepoint=False) if inside else nullcontext():
            _run(statements)
    headers = {"Content-Type": "application/json", "Content-Length": str(len(exchange.reply))}
    return HttpResponse(exchange.reply, status=exchange.status, headers=headers)


def _run(statements: Iterable[tuple[str, list[Any]]]) -> None:
    with connection.cursor() as cursor:
        for sql, parameters in statements:
            cursor.execute(sql, parameters)
            if cursor.description:
                cursor.fetchall()
