"""A receiver of webhooks: a small HTTP server that keeps what it is sent."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

import msgspec
from standardwebhooks import Webhook as Verifier


class Message(NamedTuple):
    """What came; the names of headers are in lower case."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def value(self) -> Any:
        """What is in it."""
        return msgspec.json.decode(self.body)

    def check(self, secret: str) -> None:
        """Fail unless it was signed with the secret, just now."""
        Verifier(secret).verify(self.body, self.headers)


class Receiver:
    """Answers with `status` (to the next of `statuses` first), and notes every message."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}/hook?key=1"
        self.messages: list[Message] = []
        self.status = 204
        self.statuses: list[int] = []
        self.headers: dict[str, str] = {}
        self.body = b""
        self.pause = 0.0

    def next_status(self) -> int:
        """How to answer now."""
        return self.statuses.pop(0) if self.statuses else self.status

    def wait(self, enough: Callable[[list[Message]], bool], seconds: float = 15) -> list[Message]:
        """The messages, when they are enough."""
        ends_at = time.monotonic() + seconds
        while not enough(self.messages):
            assert time.monotonic() < ends_at, [each.value["type"] for each in self.messages]
            time.sleep(0.02)
        return list(self.messages)


@contextmanager
def receiving() -> Iterator[Receiver]:
    """A receiver on this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            """Note the message and answer."""
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): text for name, text in self.headers.items()}
            time.sleep(receiver.pause)
            receiver.messages.append(Message(self.path, headers, body))
            self.send_response(receiver.next_status())
            for name, text in receiver.headers.items():
                self.send_header(name, text)
            self.end_headers()
            self.wfile.write(receiver.body)

        def log_message(self, *_args: Any) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        receiver = Receiver(server.server_port)
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield receiver
        finally:
            server.shutdown()
            thread.join()
