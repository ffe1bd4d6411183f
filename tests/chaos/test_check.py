"""The comparison notices whatever is missing, doubled or changed."""

from collections.abc import Callable, Sequence

import pytest
from msgspec.structs import replace

from tests.chaos.aftermath import compare
from tests.chaos.check import check_acks, check_ends, check_numbers, check_once
from tests.chaos.journal import Violation
from tests.chaos.ledger import Ack, Fact, Ledger, Reading
from tests.chaos.store import Stored, StoredEvent, StoredGame, StoredKey
from tests.chaos.wire import Request

OPEN, MOVES = Request("POST", "/games"), Request("POST", "/games/g/moves")
# Opened and dealt; ann in seat 0 moves twice, then the bot in seat 1.
KINDS = (
    ("game_created", None, False),
    ("player_joined", 0, False),
    ("player_joined", 1, False),
    ("cards_dealt", None, True),
    ("bout_opened", 0, True),
    ("cards_thrown_in", 0, False),
    ("hand_replenished", 1, True),
    ("card_beaten", 1, True),
)


def event(seq: int) -> StoredEvent:
    """The event with this number."""
    kind, seat, ends = KINDS[seq - 1]
    brain = "greedy" if (kind, seat) == ("player_joined", 1) else None
    return StoredEvent("g", seq, kind, f"h{seq}", ends, seat, brain)


def ack(key: str, request: Request, version: int, seqs: Sequence[int] = ()) -> Ack:
    """A write of ann's."""
    facts = tuple(Fact(seq, f"h{seq}") for seq in seqs)
    return Ack("ann", key, request, "g", 201, f"d{key}", version, facts)


def ledger() -> Ledger:
    """What ann knows."""
    known = Ledger()
    known.acks = [ack("k1", OPEN, 4), ack("k2", MOVES, 5, [5]), ack("k3", MOVES, 7, [6, 7])]
    return known


def stored() -> Stored:
    """What is stored."""
    events = [event(seq) for seq in range(1, len(KINDS) + 1)]
    keys = [StoredKey(f"k{number}", "", 201, f"dk{number}") for number in (1, 2, 3)]
    return Stored([StoredGame("g", 8, "running", 2, "ann", "h8")], events, keys, {})


def check(known: Ledger, kept: Stored) -> None:
    """Everything at once."""
    check_numbers(kept)
    check_acks(known.acks, kept)
    check_once(known, kept)
    check_ends(kept, {"g": 7})


def test_what_was_told_and_is_stored_passes() -> None:
    check(ledger(), stored())


def cut(kept: Stored) -> Stored:
    """The last two moves are gone, consistently."""
    game = replace(kept.games[0], version=5, head="h5")
    return replace(kept, games=[game], events=kept.events[:5])


def one_key_twice(kept: Stored) -> Stored:
    """The same answer stored twice."""
    return replace(kept, keys=[*kept.keys, kept.keys[1]])


def one_move_twice(kept: Stored) -> Stored:
    """The second move once more, at the end of the log."""
    again = [
        replace(kept.events[5], seq=9, hash="h9"),
        replace(kept.events[6], seq=10, hash="h10"),
    ]
    game = replace(kept.games[0], version=10, head="h10")
    return replace(kept, games=[game], events=[*kept.events, *again])


def other_game(kept: Stored) -> Stored:
    """A game that nobody was told of."""
    return replace(kept, games=[*kept.games, replace(kept.games[0], id="h", version=9)])


SPOILT: dict[str, Callable[[Stored], Stored]] = {
    "lost: POST /games/g/moves with the key k3": cut,
    "stored twice: the key k2": one_key_twice,
    "1 moves that nobody knows of": one_move_twice,
    "1 games were opened, 2 are stored": other_game,
    "lost: event 5": lambda kept: replace(
        kept, events=[*kept.events[:4], replace(kept.events[4], hash="x"), *kept.events[5:]]
    ),
    "event 6 in place of 5": lambda kept: replace(
        kept, events=[*kept.events[:4], *kept.events[5:]]
    ),
    "version 9, 8 events": lambda kept: replace(kept, games=[replace(kept.games[0], version=9)]),
    "events of no game": lambda kept: replace(kept, games=[]),
    "lost: the answer of POST /games ": lambda kept: replace(kept, keys=kept.keys[1:]),
    "another answer is stored": lambda kept: replace(
        kept, keys=[*kept.keys[:2], replace(kept.keys[2], digest="x")]
    ),
    "nobody was told so: the key k4": lambda kept: replace(
        kept, keys=[*kept.keys, replace(kept.keys[2], key="k4")]
    ),
    "stands still at version 7": lambda kept: replace(
        kept,
        games=[replace(kept.games[0], version=7, head="h7")],
        events=kept.events[:7],
    ),
    "is over, and a bot owes a move": lambda kept: replace(
        kept, games=[replace(kept.games[0], status="finished")], due={"g": 8}
    ),
}


@pytest.mark.parametrize("reason", SPOILT)
def test_what_is_wrong_is_named(reason: str) -> None:
    with pytest.raises(Violation) as caught:
        check(ledger(), SPOILT[reason](stored()))
    assert reason in str(caught.value)


def test_a_move_that_two_answers_claim_is_named() -> None:
    known = ledger()
    known.acks[2] = replace(known.acks[2], events=(Fact(5, "h5"),))
    with pytest.raises(Violation, match="event 5 belongs to"):
        check(known, stored())


def test_a_move_of_a_person_that_nobody_asked_for_is_named() -> None:
    known = ledger()
    known.acks[1] = replace(known.acks[1], events=())
    with pytest.raises(Violation, match="moves that nobody knows of"):
        check(known, stored())


def test_a_late_twin_of_a_move_for_any_version_is_no_surprise() -> None:
    known, kept = ledger(), one_move_twice(stored())
    known.unsure.add("k4")
    check(known, replace(kept, keys=[*kept.keys, StoredKey("k4", "", 201, "d")]))


@pytest.mark.parametrize(
    ("told", "finished", "reason"),
    [
        (["a", "x"], False, "event 2 is another one"),
        (["a", "b"], True, "the end after 2 of 3"),
        (["a", "b", "c", "d"], False, "4 events, 3 in the log"),
        (["a", "b"], False, None),
        (["a", "b", "c"], True, None),
    ],
)
def test_a_reader_is_held_against_the_log(
    told: list[str], finished: bool, reason: str | None
) -> None:
    reading = Reading("g", "ann", "sse", "", told, finished)
    if reason is None:
        compare(reading, ["a", "b", "c"])
        return
    with pytest.raises(Violation) as caught:
        compare(reading, ["a", "b", "c"])
    assert reason in str(caught.value)
