"""Small questions to a server: does it answer yet? No client library, so that asking is cheap."""

import contextlib
import socket
from http.client import HTTPConnection
from pathlib import Path


class UnixHTTPConnection(HTTPConnection):
    """HTTP over a socket file."""

    def __init__(self, path: Path, timeout: float) -> None:
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        """Open the socket file in place of an address."""
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._path))


def answers_http(where: Path | tuple[str, int], path: str = "/healthz") -> bool:
    """Tell whether `where` (a socket file or an address) answers 200 to a GET of `path`."""
    if isinstance(where, Path):
        connection: HTTPConnection = UnixHTTPConnection(where, timeout=2)
    else:
        connection = HTTPConnection(*where, timeout=2)
    with contextlib.suppress(OSError), contextlib.closing(connection):
        connection.request("GET", path, headers={"Connection": "close"})
        return connection.getresponse().status == 200
    return False


def answers_ping(path: Path) -> bool:
    """Tell whether a Valkey on that socket file answers a PING."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as client:
        client.settimeout(1)
        client.connect(str(path))
        client.sendall(b"PING\r\n")
        return client.recv(16).startswith(b"+PONG")
    return False


def port_is_free(host: str, port: int) -> bool:
    """Tell whether we could listen there."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as server:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            server.bind((host, port))
        except OSError:
            return False
    return True
