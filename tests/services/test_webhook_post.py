"""Messages reach the open internet and nothing else, and no answer takes for ever."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from ipaddress import ip_address
from typing import Any

import pytest

from games.services import webhook_post as module
from games.services.webhook_post import PostFailed, is_open, url_fault, webhook_post
from tests.live import free_port
from tests.receiver import Receiver, receiving


@pytest.fixture
def near(settings: Any) -> None:
    """Receivers on this machine are allowed."""
    settings.WEBHOOK_PRIVATE_ADDRESSES = True
    settings.WEBHOOK_SECONDS = 1.0


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A receiver on this machine."""
    with receiving() as found:
        yield found


def failure(url: str) -> str:
    """Why nothing came of a message."""
    with pytest.raises(PostFailed) as caught:
        webhook_post(url, {}, b"{}")
    return caught.value.reason


@pytest.mark.parametrize(
    "address",
    [
        *("0.0.0.0", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.8.8.8", "169.254.169.254"),
        *("172.16.0.1", "192.0.0.8", "192.0.2.1", "192.168.1.1", "198.18.0.1", "198.51.100.1"),
        *("203.0.113.9", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255"),
        *("::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1"),
        *("64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::", "fc00::1"),
        *("fd12::1", "fe80::1", "fec0::1", "ff02::1"),
    ],
)
def test_closed_addresses(address: str) -> None:
    assert not is_open(ip_address(address))


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "93.184.216.34", "2606:4700::1111", "::ffff:8.8.8.8"]
)
def test_open_addresses(address: str) -> None:
    assert is_open(ip_address(address))


@pytest.mark.parametrize(
    "host",
    ["localhost", "127.0.0.1", "127.1", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]"],
)
def test_no_way_of_writing_this_machine_leads_to_it(receiver: Receiver, host: str) -> None:
    url = receiver.url.replace("127.0.0.1", host)
    assert failure(url) in {"address_refused", "name_unknown"}
    assert receiver.messages == []


def test_a_name_that_changes_its_meaning_is_looked_up_once(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """First an open address, then this machine: the connection goes to what was judged."""
    asked: list[str] = []
    tried: list[Any] = []
    port = int(receiver.url.split(":")[2].partition("/")[0])

    def look_up(host: str, number: int, *rest: Any, **more: Any) -> list[Any]:
        asked.append(host)
        address = "203.0.114.1" if len(asked) == 1 else "127.0.0.1"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, number))]

    class Socket(socket.socket):
        def connect(self, address: Any) -> None:
            tried.append(address)
            raise ConnectionRefusedError

    monkeypatch.setattr(module.socket, "getaddrinfo", look_up)
    monkeypatch.setattr(module.socket, "socket", Socket)
    assert failure(f"http://rebind.example:{port}/") == "connection"
    assert (asked, tried) == (["rebind.example"], [("203.0.114.1", port)])
    assert receiver.messages == []


def test_one_closed_address_among_open_ones_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    def look_up(host: str, number: int, *rest: Any, **more: Any) -> list[Any]:
        return [
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, number))
            for address in ("93.184.216.34", "10.0.0.1")
        ]

    monkeypatch.setattr(module.socket, "getaddrinfo", look_up)
    assert failure("http://two.example/") == "address_refused"


@pytest.mark.usefixtures("near")
class TestAnswers:
    """What comes back from a receiver that may be reached."""

    def test_what_is_sent_arrives(self, receiver: Receiver) -> None:
        receiver.body = b"thanks \xff\n" + b"x" * 1000
        receiver.status = 200
        answer = webhook_post(receiver.url, {"webhook-id": "7"}, b'{"a":1}')
        assert answer.status == 200
        assert answer.start.startswith("thanks")
        assert answer.start.isprintable()
        assert len(answer.start) <= 200
        [message] = receiver.messages
        assert (message.path, message.body) == ("/hook?key=1", b'{"a":1}')
        assert message.headers["content-type"] == "application/json"
        assert message.headers["host"] == receiver.url.split("/")[2]

    @pytest.mark.parametrize("status", [301, 302, 307, 308])
    def test_redirects_are_not_followed(self, receiver: Receiver, status: int) -> None:
        receiver.status = status
        receiver.headers = {"Location": receiver.url}
        assert webhook_post(receiver.url, {}, b"{}").status == status
        assert len(receiver.messages) == 1

    def test_nobody_listens(self) -> None:
        assert failure(f"http://127.0.0.1:{free_port()}/") == "connection"

    def test_no_such_name(self) -> None:
        assert failure("http://nobody.invalid/") == "name_unknown"

    def test_no_tls_there(self, receiver: Receiver) -> None:
        assert failure(receiver.url.replace("http:", "https:")) in {"tls", "connection"}

    def test_an_answer_that_is_too_late(self, receiver: Receiver) -> None:
        receiver.pause = 2.0
        began = time.monotonic()
        assert failure(receiver.url) == "timeout"
        assert time.monotonic() - began < 1.8

    def test_an_answer_that_never_ends(self) -> None:
        """A byte now and then: no single wait is too long, all of them are."""
        with dripping(b"HTTP/1.1 200 OK\r\nX: ", b"y") as url:
            began = time.monotonic()
            assert failure(url) == "timeout"
            assert time.monotonic() - began < 3

    def test_a_body_that_never_ends_is_not_waited_for(self) -> None:
        head = b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nok"
        with dripping(head, b"z") as url:
            assert webhook_post(url, {}, b"{}").status == 200

    def test_what_is_no_http(self) -> None:
        with dripping(b"SSH-2.0-OpenSSH\r\n", b"") as url:
            assert failure(url) == "protocol"


def test_proxies_of_the_environment_are_not_used(
    receiver: Receiver, near: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{free_port()}")
    assert webhook_post(receiver.url, {}, b"{}").status == 204


def test_the_setting_opens_addresses(near: None) -> None:
    assert url_fault("http://127.0.0.1:80/") is None
    assert url_fault("ftp://127.0.0.1/") is not None


@contextmanager
def dripping(head: bytes, drop: bytes) -> Iterator[str]:
    """A server that begins an answer and goes on with a byte at a time."""
    stopped = threading.Event()

    def serve() -> None:
        client, _ = server.accept()
        with closing(client), suppress(OSError):
            client.recv(4096)
            client.sendall(head)
            while drop and not stopped.wait(0.1):
                client.sendall(drop)

    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/"
        stopped.set()
        thread.join()
