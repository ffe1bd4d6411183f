"""A whole game of every ruleset, kept as a record: what a change of the rules does can be read.

``UPDATE_PLAYTHROUGHS=1 pytest tests/rules/test_playthroughs.py`` writes them anew.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from games.rules import engine
from games.rules.cards import RANK, Card, to_cards
from games.rules.engine import AnyState
from games.rules.events import Event, Seat, WrongPlayPunished
from games.rules.moves import Move
from games.rules.record import check_record, read_record, record_of, write_record
from games.rules.rulesets.registry import players_range, ruleset, ruleset_ids
from games.rules.rulesets.schema import is_face_out
from games.rules.shuffle import Entropy
from games.rules.state import State

FOLDER = Path(__file__).parent / "playthroughs"
UPDATE = "UPDATE_PLAYTHROUGHS=1 pytest tests/rules/test_playthroughs.py"
NAMES = ("ann", "bob", "cid", "dan")
# Neighbours and partners show themselves at four; elsewhere three are enough.
FOUR = ("throw_in_article", "transfer_article", "partners")
IDLE = ("take", "pass", "draw")

Chance = Callable[[int], int]


@pytest.mark.parametrize("ruleset_id", ruleset_ids())
def test_a_game_goes_as_it_went(ruleset_id: str) -> None:
    file = FOLDER / f"{ruleset_id}.txt"
    text = playthrough(ruleset_id)
    if os.environ.get("UPDATE_PLAYTHROUGHS"):
        file.write_text(text, "utf-8")
    assert file.exists(), f"{ruleset_id} has no playthrough: {UPDATE}"
    stored = file.read_text("utf-8")
    assert stored.split("\n") == text.split("\n"), f"the game goes otherwise; if rightly: {UPDATE}"


@pytest.mark.parametrize("ruleset_id", ruleset_ids())
def test_a_stored_game_keeps_to_the_rules(ruleset_id: str) -> None:
    record = read_record((FOLDER / f"{ruleset_id}.txt").read_text("utf-8"))
    assert record.ruleset == ruleset_id
    assert record.result is not None
    assert check_record(record)


def test_no_playthrough_is_left_of_what_is_no_ruleset() -> None:
    assert {file.stem for file in FOLDER.iterdir()} == set(ruleset_ids())
    assert {file.suffix for file in FOLDER.iterdir()} == {".txt"}


def playthrough(ruleset_id: str) -> str:
    """The record of the one game of this ruleset that everybody gets."""
    seats = 4 if ruleset_id in FOUR else 3
    rules = ruleset(ruleset_id, players=seats)
    assert seats in range(players_range(rules.rules)[0], players_range(rules.rules)[1] + 1)
    entropy = Entropy(bytes(32), ruleset_id, ())
    events = (*engine.start(rules.rules, seats, entropy),)
    state = engine.fold(engine.empty_state(rules.rules, seats), events)
    while state.result is None:
        made = sensible(state, entropy)
        events += made
        state = engine.fold(state, made)
    return write_record(record_of(rules, events, players=NAMES[:seats]))


def sensible(state: AnyState, entropy: Entropy) -> tuple[Event, ...]:
    """The events of a move that a person might make: mostly a cheap one that is right."""

    def chance(limit: int, of: str) -> int:
        return entropy.below(limit, f"{of}.{state.moves}")

    seat = state.to_act[chance(len(state.to_act), "seat")]
    moves = list(simple_moves(state, seat))
    idle = [move for move in moves if move.type in IDLE]
    busy = sorted((m for m in moves if m.type not in IDLE), key=lambda m: cost(state, seat, m))
    right = busy
    if is_face_out(state.rules) and chance(12, "slip"):
        right = [move for move in busy if not is_wrong(decided(state, seat, move, entropy))]
    spared = idle[:1] if right and is_dear(state, seat, right[0]) and chance(4, "spare") else []
    tired = idle[:1] if chance(12, "idle") == 0 else []
    choice = spared or tired or right or idle or busy
    return decided(state, seat, choice[min(chance(3, "choice") // 2, len(choice) - 1)], entropy)


def simple_moves(state: AnyState, seat: Seat) -> Iterator[Move]:
    """Of every pattern the moves of one card, and the attack with all cards of a rank."""
    for pattern in engine.legal_moves(state, seat):
        if pattern.suits is not None or pattern.first is not None:
            yield from naming_moves(state, seat, pattern)
        elif pattern.slots is not None:
            for slot in pattern.slots:
                yield Move(pattern.type, slots=(slot,), target=pattern.target)
        elif pattern.cards is None:
            yield Move(pattern.type)
        else:
            for card in pattern.cards:
                yield Move(pattern.type, cards=(card,), target=pattern.target)
            if pattern.type == "attack" and 1 < len(pattern.cards) <= (pattern.max or 0):
                yield Move("attack", cards=pattern.cards)


def naming_moves(state: AnyState, seat: Seat, pattern: engine.Pattern) -> Iterator[Move]:
    """Each card with the suit that is held most of the rest, and as many at once as go."""
    hand = to_cards(state.hands[seat])
    suits = sorted(pattern.suits or (), key=lambda suit: -sum(card[1] == suit for card in hand))
    if pattern.min is not None and pattern.min > 1:
        yield Move("play", cards=(pattern.cards or ())[: pattern.max])
        return
    for card in pattern.cards or (None,):
        yield Move(pattern.type, cards=(card,) if card else (), suit=suits[0])


def decided(state: AnyState, seat: Seat, move: Move, entropy: Entropy) -> tuple[Event, ...]:
    return engine.decide(state, seat, move, entropy)


def is_wrong(events: tuple[Event, ...]) -> bool:
    return isinstance(events[0], WrongPlayPunished)


def cost(state: AnyState, seat: Seat, move: Move) -> float:
    """How dear the cards are, trumps above all. Several are led before one; showing is free.

    In shedding games what costs points goes first, and cards that name a suit last.
    """
    cards = () if move.type == "show_trump" else faces(state, seat, move)
    if not isinstance(state, State):
        return 50 * (move.suit is not None) - sum(RANK[card] for card in cards)
    dear = sum(RANK[card] + 13 * (card[1] == state.trump) for card in cards)
    return dear / (len(cards) ** 2 or 1)


def is_dear(state: AnyState, seat: Seat, move: Move) -> bool:
    """Whether a move gives a trump away that nobody asked for."""
    if not isinstance(state, State):
        return False
    asked_for = move.type in ("beat", "attack", "show_trump", "exchange_trump")
    return not asked_for and any(card[1] == state.trump for card in faces(state, seat, move))


def faces(state: AnyState, seat: Seat, move: Move) -> list[Card]:
    """The cards of a move, also of one that names slots."""
    if not isinstance(state, State) or not move.slots:
        return list(move.cards)
    held = dict(enumerate(state.slots[seat], state.slot_base[seat]))
    return [card for slot in move.slots if (card := held[slot]) is not None]
