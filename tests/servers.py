"""Private servers for a test run."""

import shutil
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

import psycopg

from durak_api.embedded import postgres, services
from durak_api.embedded.process import Process, Service, log_tail

CREATE_APP_ROLE = f"""
DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{postgres.APP}') THEN
        CREATE ROLE {postgres.APP} LOGIN;
        GRANT {postgres.APP} TO CURRENT_USER;
    END IF;
END $$
"""


class TestServers:
    """A throw-away PostgreSQL and Valkey; those that the caller names are used as they are."""

    __test__ = False

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="durak-test-"))
        self._processes: list[Process] = []

    def start(self, given: Mapping[str, str]) -> dict[str, str]:
        """Start what `given` (DATABASE_URL, REDIS_URL) lacks; return the settings for both."""
        settings = {"SECRET_KEY": "for-tests-only", **pick(given, "DATABASE_URL", "REDIS_URL")}
        if "DATABASE_URL" not in settings:
            cluster = self.folder / "postgres"
            postgres.prepare(cluster, durable=False)
            self._run(postgres.service(cluster, self.folder, durable=False))
            settings["DATABASE_URL"] = postgres.database_url(self.folder, postgres.OWNER)
        if "REDIS_URL" not in settings:
            self._run(services.valkey(self.folder))
            settings["REDIS_URL"] = services.valkey_url(self.folder)
        with psycopg.connect(settings["DATABASE_URL"]) as connection:
            connection.execute(CREATE_APP_ROLE)
        return settings

    def _run(self, service: Service) -> None:
        process = Process(service, self.folder)
        self._processes.append(process)
        process.start()
        wait_until_ready(process)

    def stop(self) -> None:
        """Stop what was started and remove its data."""
        for process in self._processes:
            process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


def pick(mapping: Mapping[str, str], *names: str) -> dict[str, str]:
    """Return the entries of `names` that have a value."""
    return {name: mapping[name] for name in names if mapping.get(name)}


def wait_until_ready(process: Process, seconds: float = 60.0) -> None:
    """Return when the service answers; fail with its last words."""
    deadline = time.monotonic() + seconds
    while not process.service.is_ready():
        ended = process.exit_code() is not None
        assert not ended, f"{process.service.name} ended:\n{log_tail(process.log, 40)}"
        assert time.monotonic() < deadline, f"too slow:\n{log_tail(process.log, 40)}"
        time.sleep(0.02)
