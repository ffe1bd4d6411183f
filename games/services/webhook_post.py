"""One message to an address on the open internet, and to nothing else.

The name is looked up once, every address of it is judged, and the connection goes to an address
that was judged: a name that means something else a moment later changes nothing.
"""

import http.client
import socket
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from threading import Timer
from typing import Any, Final, NamedTuple
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

PREFIX: Final = 200
_PORTS: Final = {"http": 80, "https": 443}
_FIRST_FREE_PORT: Final = 1024
_AGENT: Final = "durak-webhooks/1"
# Of IPv6 only what is given out to machines, and of that nothing that is an IPv4 address somewhere
# else (Teredo, 6to4). Beside what the standard library knows: protocol assignments, 6to4 relays.
_UNICAST: Final = ip_network("2000::/3")
_CLOSED: Final = tuple(
    map(ip_network, ("2001::/23", "2002::/16", "192.0.0.0/24", "192.88.99.0/24"))
)


class PostFailed(Exception):
    """No answer; `reason` is a word for the delivery log."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Answer(NamedTuple):
    """The status of an answer, and how its body begins."""

    status: int
    start: str


def is_open(address: IPv4Address | IPv6Address) -> bool:
    """Whether an address is one of the open internet: of a network, of a machine for all to reach.

    >>> is_open(ip_address("93.184.216.34")), is_open(ip_address("::ffff:10.0.0.1"))
    (True, False)
    """
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return is_open(address.ipv4_mapped)
        if address not in _UNICAST:
            return False
    if any(address in network for network in _CLOSED):
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved)


def url_fault(url: str) -> str | None:
    """What is wrong with an address for messages, as far as it shows without looking it up."""
    try:
        parts = urlsplit(url)
        port = parts.port or _PORTS.get(parts.scheme, 0)
    except ValueError:
        return "is not a URL"
    if not url.isascii() or not url.isprintable() or " " in url:
        return "must be ASCII without spaces"
    if parts.scheme not in _PORTS or not parts.hostname:
        return "must be an http or https URL"
    if parts.username is not None or parts.password is not None or parts.fragment:
        return "must have no user, password or fragment"
    with suppress(ValueError):
        if not _may_reach(ip_address(parts.hostname)):
            return "must lead to the open internet"
    if not settings.WEBHOOK_PRIVATE_ADDRESSES and not _is_free(port):
        return "must use port 80, 443 or one from 1024 on"
    return None


def webhook_post(url: str, headers: Mapping[str, str], body: bytes) -> Answer:
    """POST a body. Redirects are answers like others. Raises PostFailed."""
    parts = urlsplit(url)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    line = _Line()
    with _reasons(line), line.open(parts) as connection:
        sent = {"Content-Type": "application/json", "User-Agent": _AGENT, **headers}
        connection.request("POST", target, body, sent)
        with connection.getresponse() as response:
            if line.is_cut:
                raise TimeoutError
            return Answer(response.status, _start(response))


def _start(response: http.client.HTTPResponse) -> str:
    """The first characters of the body, as far as they have come."""
    with suppress(OSError, http.client.HTTPException, ValueError):
        text = response.read1(PREFIX).decode(errors="replace")
        return "".join(letter if letter.isprintable() else " " for letter in text)
    return ""


@contextmanager
def _reasons(line: "_Line") -> Iterator[None]:
    try:
        yield
    except TimeoutError:
        raise PostFailed("timeout") from None
    except ssl.SSLError:
        raise PostFailed("timeout" if line.is_cut else "tls") from None
    except (socket.gaierror, UnicodeError):
        raise PostFailed("name_unknown") from None
    except OSError:
        raise PostFailed("timeout" if line.is_cut else "connection") from None
    except (http.client.HTTPException, ValueError):
        raise PostFailed("timeout" if line.is_cut else "protocol") from None


class _Line:
    """A connection to a judged address, cut off when the time for everything is over."""

    def __init__(self) -> None:
        self.is_cut = False
        self._sock: socket.socket | None = None

    @contextmanager
    def open(self, parts: SplitResult) -> Iterator[http.client.HTTPConnection]:
        """The connection for the time of the block."""
        host, port = parts.hostname or "", parts.port or _PORTS[parts.scheme]
        self._sock = _dial(host, port)
        timer = Timer(settings.WEBHOOK_SECONDS, self._cut)
        timer.daemon = True
        timer.start()
        try:
            if parts.scheme == "https":
                self._encrypt(self._sock, host)
            connection = http.client.HTTPConnection(host, port)
            # Connected already: it looks no name up by itself, and never connects again.
            connection.sock, connection.auto_open = self._sock, 0
            yield connection
        finally:
            timer.cancel()
            self._sock.close()

    def _encrypt(self, sock: socket.socket, host: str) -> None:
        secure = _tls().wrap_socket(sock, server_hostname=host, do_handshake_on_connect=False)
        self._sock = secure
        secure.do_handshake()

    def _cut(self) -> None:
        self.is_cut = True
        with suppress(OSError):
            if self._sock is not None:
                self._sock.shutdown(socket.SHUT_RDWR)


def _dial(host: str, port: int) -> socket.socket:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    if not all(_may_reach(ip_address(_bare(entry[4]))) for entry in found):
        raise PostFailed("address_refused")
    family, kind, protocol, _, address = found[0]
    sock = socket.socket(family, kind, protocol)
    try:
        sock.settimeout(settings.WEBHOOK_SECONDS)
        sock.connect(address)
    except BaseException:
        sock.close()
        raise
    return sock


def _bare(address: Any) -> str:
    """The address of a socket address, without the zone of a link."""
    text: str = address[0]
    return text.partition("%")[0]


def _may_reach(address: IPv4Address | IPv6Address) -> bool:
    return bool(settings.WEBHOOK_PRIVATE_ADDRESSES) or is_open(address)


def _is_free(port: int) -> bool:
    return port in _PORTS.values() or port >= _FIRST_FREE_PORT


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()
