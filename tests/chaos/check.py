"""Whether what is stored is what the players were told: pure comparisons.

Every function raises Violation with the first thing that is wrong.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from tests.chaos.journal import Violation
from tests.chaos.ledger import Ack, Ledger
from tests.chaos.store import Stored, StoredEvent

# What the server does when time is up or was lost, and coming back to a seat.
NO_MOVES = frozenset({"seat_timed_out", "deadline_extended", "seat_returned"})


def check_acks(acks: Sequence[Ack], stored: Stored) -> None:
    """Every acknowledged write is there: its events at their places, its answer under its key."""
    hashes = {(event.game, event.seq): event.hash for event in stored.events}
    versions = {game.id: game.version for game in stored.games}
    keys = {key.key: key for key in stored.keys}
    for ack in acks:
        if versions.get(ack.game, 0) < ack.version:
            raise Violation(f"lost: {ack}; the game is at {versions.get(ack.game)}")
        for fact in ack.events:
            if hashes.get((ack.game, fact.seq)) != fact.hash:
                raise Violation(f"lost: event {fact.seq} of {ack}")
        kept = keys.get(ack.key)
        if kept is None:
            raise Violation(f"lost: the answer of {ack}")
        if (kept.status, kept.digest) != (ack.status, ack.digest):
            raise Violation(f"another answer is stored: {ack}")


def check_numbers(stored: Stored) -> None:
    """The events of each game are numbered from 1 without a gap, up to its version."""
    logs = by_game(stored.events)
    heads = {game.id: game for game in stored.games}
    if unknown := logs.keys() - heads.keys():
        raise Violation(f"events of no game: {min(unknown)}")
    for game_id, events in logs.items():
        for number, event in enumerate(events, 1):
            if event.seq != number:
                raise Violation(f"game {game_id}: event {event.seq} in place of {number}")
        head = heads[game_id]
        if (head.version, head.head) != (len(events), events[-1].hash):
            raise Violation(f"game {game_id}: version {head.version}, {len(events)} events")


def check_once(ledger: Ledger, stored: Stored) -> None:
    """Nothing was done that nobody was told of, and nothing twice.

    Each move of a person's seat belongs to one acknowledged request; each game to one that opened
    it; each stored answer to one key that its player knows to be settled.
    """
    counts: dict[str, int] = defaultdict(int)
    for key in stored.keys:
        counts[key.key] += 1
    if twice := [key for key, count in counts.items() if count > 1]:
        raise Violation(f"stored twice: the key {twice[0]}")
    known = {ack.key for ack in ledger.acks}
    if strange := counts.keys() - known - ledger.unsure:
        raise Violation(f"done, but nobody was told so: the key {min(strange)}")
    opened = [ack.game for ack in ledger.acks if ack.request.path == "/games"]
    if len(opened) != len(set(opened)) or set(opened) != {game.id for game in stored.games}:
        raise Violation(f"{len(opened)} games were opened, {len(stored.games)} are stored")
    loose = len(counts.keys() - known)
    check_moves(ledger.acks, stored, loose)


def check_moves(acks: Iterable[Ack], stored: Stored, loose: int) -> None:
    """No two requests made the same event, and all moves of people were asked for.

    `loose` moves may have been accepted after their client was refused.
    """
    owners: dict[tuple[str, int], Ack] = {}
    for ack in acks:
        for fact in ack.events:
            other = owners.setdefault((ack.game, fact.seq), ack)
            if other is not ack:
                raise Violation(f"event {fact.seq} belongs to {other} and to {ack}")
    strange = [
        event
        for events in by_game(stored.events).values()
        for event in moves_of_people(events)
        if (event.game, event.seq) not in owners
    ]
    if len(strange) > loose:
        raise Violation(f"{len(strange)} moves that nobody knows of, the first: {strange[0]}")


def check_ends(stored: Stored, before: Mapping[str, int]) -> None:
    """Every game has ended, or has gone on since it was at the version `before`."""
    for game in stored.games:
        if game.status == "finished":
            if game.id in stored.due:
                raise Violation(f"game {game.id} is over, and a bot owes a move")
        elif game.version <= before.get(game.id, 0):
            raise Violation(f"game {game.id} stands still at version {game.version}")


def by_game(events: Iterable[StoredEvent]) -> dict[str, list[StoredEvent]]:
    """The events of each game."""
    logs: dict[str, list[StoredEvent]] = defaultdict(list)
    for event in events:
        logs[event.game].append(event)
    return logs


def moves_of_people(events: Sequence[StoredEvent]) -> list[StoredEvent]:
    """The first event of each move that only a person can have asked for.

    Neither bots are people, nor the clock, nor whoever plays a seat that its player has left alone.
    """
    played = set(bots_of(events))
    moves = []
    for before, event in pairwise(events):
        if before.ends and event.type not in NO_MOVES and event.seat not in played:
            moves.append(event)
        if event.type == "seat_replaced" and event.seat is not None:
            played.add(event.seat)
        elif event.type == "seat_returned" and event.seat is not None:
            played.discard(event.seat)
    return moves


def bots_of(events: Iterable[StoredEvent]) -> set[int]:
    """The seats that were given to bots."""
    return {
        event.seat
        for event in events
        if event.type == "player_joined" and event.brain and event.seat is not None
    }
