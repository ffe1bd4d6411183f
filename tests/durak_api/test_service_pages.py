"""Pages for those who run the server."""

from django.test import Client


def test_healthz_looks_at_nothing(client: Client) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}
