"""Play, with progress; stop and go on as you like: `--state` remembers what has been played.

python -m tests.soak --games 1000000 --state .cache/soak.json
"""

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import islice
from pathlib import Path

import msgspec

from tests.soak.costly import check
from tests.soak.play import play
from tests.soak.tables import table

CHUNK = 500


class Tally(msgspec.Struct):
    """What has been seen: endings by ruleset and reason, moves by ruleset, the longest games."""

    endings: dict[str, int] = {}
    moves: dict[str, int] = {}
    longest: dict[str, int] = {}
    costly: int = 0

    def add(self, other: "Tally") -> None:
        """Count another tally in."""
        self.endings = dict(Counter(self.endings) + Counter(other.endings))
        self.moves = dict(Counter(self.moves) + Counter(other.moves))
        self.longest = dict(Counter(self.longest) | Counter(other.longest))
        self.costly += other.costly


class Progress(msgspec.Struct):
    """A run that can be taken up again: the chunks that are done, and the time they took."""

    seed: int
    family: str | None = None
    done: list[int] = []
    tally: Tally = msgspec.field(default_factory=Tally)
    seconds: float = 0.0


def play_chunk(seed: int, family: str | None, chunk: int, every: int) -> tuple[int, Tally]:
    """Play the games of a chunk, the costly laws on one of `every`."""
    tally = Tally()
    endings: Counter[str] = Counter()
    moves: Counter[str] = Counter()
    longest: Counter[str] = Counter()
    for number in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        one = table(seed, number, family)
        try:
            ended = play(one)
            if number % every == 0:
                check(one)
                tally.costly += 1
        except Exception as error:
            raise AssertionError(f"game {number} of seed {seed}: {error}") from error
        kind = "draw" if ended.draw else "durak"
        endings[f"{ended.ruleset}|{ended.seats}|{ended.reason}|{kind}"] += 1
        moves[ended.ruleset] += ended.moves
        longest[ended.ruleset] = max(longest[ended.ruleset], ended.moves)
    tally.endings, tally.moves, tally.longest = dict(endings), dict(moves), dict(longest)
    return chunk, tally


def run(progress: Progress, chunks: int, every: int, state: Path | None) -> None:
    """Play what is missing on all cores, saving after every chunk."""
    missing = iter(sorted(set(range(chunks)) - set(progress.done)))
    began, before = time.monotonic(), progress.seconds
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        pending = {
            pool.submit(play_chunk, progress.seed, progress.family, chunk, every)
            for chunk in islice(missing, 8)
        }
        while pending:
            finished = next(as_completed(pending))
            pending.remove(finished)
            chunk, tally = finished.result()
            progress.done.append(chunk)
            progress.tally.add(tally)
            progress.seconds = before + time.monotonic() - began
            save(progress, state)
            show(progress, chunks)
            pending |= {
                pool.submit(play_chunk, progress.seed, progress.family, chunk, every)
                for chunk in islice(missing, 1)
            }


def save(progress: Progress, state: Path | None) -> None:
    """Write the state, never half of it."""
    if state is not None:
        state.parent.mkdir(parents=True, exist_ok=True)
        draft = state.with_suffix(".new")
        draft.write_bytes(msgspec.json.encode(progress))
        draft.replace(state)


def show(progress: Progress, chunks: int) -> None:
    """One line of progress."""
    games = len(progress.done) * CHUNK
    rate = games / max(progress.seconds, 0.001)
    left = (chunks * CHUNK - games) / rate
    sys.stderr.write(f"\r{games:,} of {chunks * CHUNK:,} games, {rate:,.0f}/s, {left:,.0f} s left ")
    sys.stderr.flush()


def report(progress: Progress) -> Iterator[str]:
    """The figures, as lines."""
    tally, games = progress.tally, len(progress.done) * CHUNK
    by_ruleset: dict[str, Counter[str]] = {}
    for key, count in tally.endings.items():
        ruleset, _, reason, kind = key.split("|")
        by_ruleset.setdefault(ruleset, Counter())[f"{reason} {kind}"] += count
    yield f"games {games:,}   games/s {games / max(progress.seconds, 0.001):,.0f}"
    moves = sum(tally.moves.values())
    yield f"moves {moves:,}   mean {moves / max(games, 1):.1f}"
    yield f"looked at closely {tally.costly:,}"
    for ruleset, endings in sorted(by_ruleset.items()):
        total = endings.total()
        shares = "   ".join(
            f"{name} {100 * count / total:.2f} %" for name, count in endings.most_common()
        )
        mean, longest = tally.moves[ruleset] / total, tally.longest[ruleset]
        yield f"{ruleset:<36} {total:>8,} of {mean:5.0f} moves, at most {longest:5}   {shares}"


def main() -> None:
    """Read the arguments and play."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--family", choices=("bout", "shedding"), help="default: both")
    parser.add_argument(
        "--every", type=int, default=1000, help="costly laws on one game of so many"
    )
    parser.add_argument(
        "--state", type=Path, default=None, help="go on from, and save to, this file"
    )
    given = parser.parse_args()
    progress = Progress(given.seed, given.family)
    if given.state is not None and given.state.exists():
        progress = msgspec.json.decode(given.state.read_bytes(), type=Progress)
        if (progress.seed, progress.family) != (given.seed, given.family):
            parser.error(f"{given.state} is of seed {progress.seed}, family {progress.family}")
    run(progress, -(-given.games // CHUNK), given.every, given.state)
    sys.stderr.write("\n")
    sys.stdout.write("\n".join(report(progress)) + "\n")


if __name__ == "__main__":
    main()
