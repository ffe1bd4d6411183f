"""A player who speaks HTTP to the running stack."""

import itertools
import json
import urllib.request
from typing import Any

from tests.live import LiveStack

_names = (f"watcher_{number}" for number in itertools.count())


class Client:
    """An account of its own; refusals are raised as urllib's HTTPError."""

    def __init__(self, stack: LiveStack) -> None:
        self.base = f"{stack.base_url}/api/v1"
        self.token = ""
        self.name = next(_names)
        self.token = self.post("/players", {"name": self.name})["token"]

    def get(self, path: str) -> Any:
        """GET."""
        return self._call("GET", path)

    def post(self, path: str, body: Any) -> Any:
        """POST."""
        return self._call("POST", path, json.dumps(body).encode())

    def _call(self, method: str, path: str, body: bytes | None = None) -> Any:
        headers = {"content-type": "application/json"}
        if self.token:
            headers["authorization"] = f"Bearer {self.token}"
        request = urllib.request.Request(self.base + path, body, headers, method=method)
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)

    def open(self, seats: int, *brains: str, **more: Any) -> str:
        """A new table, of throw_in unless it is said otherwise; its id."""
        bots = [{"brain": brain} for brain in brains]
        table = {"ruleset": "throw_in", "seats": seats, "bots": bots, **more}
        game_id: str = self.post("/games", table)["id"]
        return game_id
