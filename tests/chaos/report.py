"""The figures of a run, for people and for programs."""

from collections.abc import Iterator, Mapping, Sequence
from statistics import median

import msgspec

from tests.chaos.journal import Journal, Outage
from tests.chaos.ledger import Ledger
from tests.chaos.store import Stored


class Report(msgspec.Struct):
    """What was played, what was done to it, what was compared; times in seconds."""

    seed: int
    seconds: float
    violation: str | None = None
    games: int = 0
    finished: int = 0
    moves: int = 0
    events: int = 0
    kills: dict[str, int] = {}
    cuts: dict[str, int] = {}
    delays: int = 0
    duplicates: int = 0
    requests: int = 0
    retries: int = 0
    reconnects: int = 0
    readers: int = 0
    read: int = 0
    repeated: int = 0
    projections: int = 0
    recovery: dict[str, tuple[float, float]] = {}
    longest_outage: Outage = Outage()
    verified: str = ""


def report_of(seed: int, journal: Journal, ledger: Ledger) -> Report:
    """What is known before anything is compared."""
    return Report(
        seed=seed,
        seconds=journal.seconds,
        games=journal.counts["games"],
        moves=ledger.moves,
        kills=named(journal, "kill "),
        cuts=named(journal, "cut "),
        delays=journal.counts["delay"],
        duplicates=journal.counts["twin"],
        requests=journal.counts["requests"],
        retries=journal.counts["retries"],
        reconnects=journal.counts["reconnects"],
        readers=len(ledger.readings),
        repeated=journal.counts["repeated"],
        recovery={name: (median(times), max(times)) for name, times in journal.recoveries.items()},
        longest_outage=journal.longest,
    )


def add_stored(report: Report, stored: Stored) -> None:
    """Count what is in the store."""
    report.events = len(stored.events)
    report.finished = sum(game.status == "finished" for game in stored.games)


def named(journal: Journal, prefix: str) -> dict[str, int]:
    """Counts by what follows the prefix, the largest first."""
    counts = journal.counts.most_common()
    return {name.removeprefix(prefix): n for name, n in counts if name.startswith(prefix)}


def lines(report: Report) -> Iterator[str]:
    """The report as text."""
    kills = sum(report.kills.values())
    yield f"games {report.games:,}   ended {report.finished:,}   events {report.events:,}"
    yield f"moves acknowledged {report.moves:,}, each found once in its place"
    yield f"kills {kills:,}   {spread(report.kills)}"
    yield f"cuts {sum(report.cuts.values()):,}   {spread(report.cuts)}"
    yield (
        f"requests {report.requests:,}   duplicates {report.duplicates:,}   "
        f"delays {report.delays:,}   retries {report.retries:,}"
    )
    yield f"stored answers asked for again {report.repeated:,}, all the same"
    yield (
        f"readers {report.readers:,}   events read {report.read:,}, none missed or doubled   "
        f"reconnects {report.reconnects:,}"
    )
    yield f"rows of results and ratings {report.projections:,}, rebuilt the same"
    yield f"verify_log   {report.verified}"
    for name, (middle, longest) in sorted(report.recovery.items()):
        yield f"back after a kill   {name:<9} median {middle:5.2f} s   longest {longest:5.2f} s"
    outage = report.longest_outage
    yield f"longest outage of a client {outage.seconds:.1f} s, from {outage.since:.1f} s on"
    yield f"  {outage.request}"
    yield f"took {report.seconds:,.0f} s, {report.seconds / max(kills, 1):.1f} s a kill"


def spread(counts: Mapping[str, int]) -> str:
    """Counts with their names, on one line."""
    parts: Sequence[str] = [f"{name} {count:,}" for name, count in counts.items()]
    return "   ".join(parts)
