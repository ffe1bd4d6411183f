"""Keep processes running: start, watch, start again, stop."""

import time
from collections.abc import Callable, Iterable
from pathlib import Path

from durak_api.embedded.process import Process, Service, log_tail

FIRST_DELAY, LONGEST_DELAY = 0.2, 10.0
# Whoever has run so many times as long as he had to wait waits no longer than the first time: one
# that serves and is killed now and then is hardly missed, one that cannot serve is left alone.
STEADY_RUNS = 10.0
# So many exits in a row while starting up mean that waiting is no use.
HOPELESS_AFTER = 5
TICK = 0.05


class StartError(Exception):
    """A service did not come up; the text ends with its last words."""


class Supervised:
    """A process and its bad luck so far."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.exits = 0
        self.delay = FIRST_DELAY
        self.restart_at: float | None = None

    def note_exit(self, now: float) -> float:
        """Plan the next start; return the delay in seconds."""
        if now - self.process.started_at > STEADY_RUNS * self.delay:
            self.exits = 0
        self.delay = min(FIRST_DELAY * 2.0**self.exits, LONGEST_DELAY)
        self.exits += 1
        self.restart_at = now + self.delay
        return self.delay


class Supervisor:
    """Runs services until it is stopped.

    `say` prints a line for the person who watches; `check` is called at every tick and raises
    when it is time to go. `<pids>/<service>.pid` holds the number of each process.
    """

    def __init__(
        self, logs: Path, pids: Path, say: Callable[[str], None], check: Callable[[], None]
    ) -> None:
        self._logs = logs
        self._pids = pids
        self._say = say
        self._check = check
        self._running: dict[str, Supervised] = {}

    def start(self, *services: Service) -> None:
        """Start services without waiting for them."""
        for service in services:
            self._running[service.name] = Supervised(Process(service, self._logs))
            self._launch(service.name)

    def _launch(self, name: str) -> None:
        process = self._running[name].process
        process.start()
        if process.handle:
            unfinished = self._pids / f"{name}.pid.new"
            unfinished.write_text(f"{process.handle.pid}\n")
            unfinished.rename(self._pids / f"{name}.pid")

    def wait_ready(self, *names: str, seconds: float = 90.0) -> None:
        """Return when all of them serve; raise StartError when one cannot."""
        deadline = time.monotonic() + seconds
        waiting = [self._running[name] for name in names]
        while waiting := [one for one in waiting if not is_serving(one)]:
            self.tick()
            lost = next((one for one in waiting if one.exits >= HOPELESS_AFTER), None)
            if lost or time.monotonic() > deadline:
                raise StartError(last_words((lost or waiting[0]).process))
            time.sleep(TICK)

    def tick(self) -> None:
        """Notice what has ended, and start again what is due."""
        self._check()
        now = time.monotonic()
        for name, one in self._running.items():
            if one.restart_at is None and (code := one.process.exit_code()) is not None:
                one.process.kill()
                delay = one.note_exit(now)
                self._say(f"{name} ended ({code}); starting it again in {delay:.1f} s")
            elif one.restart_at is not None and now >= one.restart_at:
                one.restart_at = None
                self._launch(name)

    def stop(self, groups: Iterable[tuple[str, ...]]) -> None:
        """Stop group after group; the members of a group stop together."""
        for group in groups:
            members = [self._running.pop(name) for name in group if name in self._running]
            started = time.monotonic()
            for one in members:
                one.process.ask_to_stop()
            for one in members:
                one.process.wait(started + one.process.service.stop_seconds)


def is_serving(one: Supervised) -> bool:
    """Tell whether the process runs and answers."""
    process = one.process
    return one.restart_at is None and process.exit_code() is None and process.service.is_ready()


def last_words(process: Process) -> str:
    """Say which service failed, and what it wrote last."""
    return (
        f"{process.service.name} does not start. {process.log} ends with:\n{log_tail(process.log)}"
    )
