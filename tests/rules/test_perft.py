"""Counts of move sequences: the stored ones still hold, and they count what the engine accepts."""

import json
from collections.abc import Iterator
from io import StringIO
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.management.commands import perft as command
from games.rules import engine
from games.rules.cards import SUITS, to_cards
from games.rules.engine import AnyState
from games.rules.errors import Refusal
from games.rules.moves import SHAPES, Move
from games.rules.perft import CHANCE, breadth, first_state, perft, turns_of
from games.rules.position_line import read_line
from games.rules.rulesets.registry import ruleset, ruleset_ids
from games.rules.shedding.state import SheddingState
from tests.rules.games import played
from tests.rules.tables import TAKE, attack, play, table, throw_in

STORED = command.stored_counts()
WRITE = "manage.py perft {} --depth 6 --write"


@pytest.mark.parametrize("ruleset_id", ruleset_ids())
def test_the_stored_counts_of_a_ruleset_still_hold(ruleset_id: str) -> None:
    assert ruleset_id in STORED, f"no counts are stored: {WRITE.format(ruleset_id)}"
    players, counts = STORED[ruleset_id]["players"], STORED[ruleset_id]["counts"]
    assert len(counts) >= 2
    state = first_state(ruleset(ruleset_id, players=players).rules, players)
    found = list(perft(state, len(counts)))
    changed = f"the moves have changed; if rightly so: {WRITE.format(ruleset_id)}"
    assert found == counts, changed


def test_no_counts_are_stored_for_what_is_no_ruleset() -> None:
    assert set(STORED) <= set(ruleset_ids())


def every_shape(state: AnyState, seat: int) -> Iterator[Move]:
    """Every move that a client could send with cards of the hand, whatever the rules say."""
    if isinstance(state, SheddingState):
        yield from every_shedding_shape(state, seat)
        return
    hand = to_cards(state.hands[seat])
    targets = [pair.attack for pair in state.table]
    for kind, shape in SHAPES["bout"].items():
        most = min(shape.cards, len(hand))
        subsets = [cards for count in range(most + 1) for cards in combinations(hand, count)]
        if kind == "call":
            subsets = [(play.card,) for play in state.plays]
        for cards in subsets:
            for target in targets if shape.target else [None]:
                yield Move(kind, cards=cards, target=target)


def every_shedding_shape(state: SheddingState, seat: int) -> Iterator[Move]:
    """The same in a shedding game; of the orders of a set of cards the first that is accepted."""
    hand = to_cards(state.hands[seat])
    for kind, shape in SHAPES["shedding"].items():
        most = min(shape.cards, len(hand), 4)
        for cards in (cards for count in range(most + 1) for cards in combinations(hand, count)):
            for suit in (None, *SUITS) if shape.suit else (None,):
                orders = [Move(kind, cards=order, suit=suit) for order in permutations(cards)]
                yield next((one for one in orders if is_accepted(state, seat, one)), orders[0])


def is_accepted(state: AnyState, seat: int, move: Move) -> bool:
    try:
        engine.decide(state, seat, move, CHANCE)
    except Refusal:
        return False
    return True


def accepted(state: AnyState, seat: int) -> Iterator[Move]:
    """The moves of `every_shape` that the engine does not refuse."""
    for move in every_shape(state, seat):
        if is_accepted(state, seat, move):
            yield move


@pytest.mark.parametrize(
    ("ruleset_id", "options", "seats"),
    [
        ("simple", {}, 2),
        ("throw_in", {}, 3),
        ("transfer", {"throw_in_timing": "anytime"}, 3),
        ("proyezdnoy", {"hand_size": 4}, 2),
        ("throw_in.japanese", {"trump_suit": "C"}, 4),
        ("throw_in", {"trump_exchange": "six_for_any"}, 2),
        ("transfer", {"enforcement": "catchable", "deck_size": 24, "hand_size": 4}, 3),
        ("transfer.face_out", {}, 2),
        ("mau_mau", {}, 3),
        ("japanese_shedding", {"multi_play": {"A": [3, 4], "8": [2]}}, 2),
        ("english_durak", {}, 2),
        ("pentagon", {"stacking": "same_rank"}, 2),
    ],
)
def test_what_is_counted_is_what_the_engine_accepts(
    ruleset_id: str, options: dict[str, Any], seats: int
) -> None:
    game = played(ruleset(ruleset_id, options, seats), seats, "counted")
    small = [s for s in game.states if max(hand.bit_count() for hand in s.hands) <= 8]
    assert small
    for state in small[:20]:
        tried = sum(1 for seat in range(seats) for _ in accepted(state, seat))
        assert breadth(state) == len(set(turns_of(state))) == tried


def test_each_suit_that_may_be_named_counts_and_each_set_of_aces_once() -> None:
    state = read_line(ruleset("mau_mau").rules, "QS9D/8C TC KD play 0")
    assert perft(state, 1) == (1 + 5,)
    state = read_line(ruleset("japanese_shedding").rules, "ADACASAH8H/8C TC KD play 0")
    # One ace of diamonds, it with two of the other three, or with all.
    assert perft(state, 1) == (1 + 3 + 1,)


def test_depth_by_depth_every_sequence_is_counted_once() -> None:
    state = read_line(ruleset("transfer").rules, "6S6D/6C8S - H - attack 0>1")
    assert [(seat, move.cards) for seat, move in turns_of(state)] == [
        *((0, ("6S",)), (0, ("6D",)), (0, ("6S", "6D"))),
    ]
    # 8S beats 6S and nothing beats 6D; one card in the other hand is too few to transfer to.
    assert perft(state, 2) == (3, 2 + 1 + 2)
    assert perft(state, 1) == (3,)


def test_a_finished_game_adds_nothing() -> None:
    state = read_line(ruleset("throw_in").rules, "6S/8S - H - attack 0>1")
    assert perft(state, 4) == (1, 2, 0, 0)


def test_only_right_calls_are_counted() -> None:
    options = {"enforcement": "catchable"}
    state = table("6S 9D", "7S 8C KC", "9S 9C", options=options)
    state = play(state, (0, attack("6S")), (1, TAKE), (0, throw_in("9D")))
    calls = [seat for seat, move in turns_of(state) if move.type == "call"]
    assert calls == [1, 2]
    assert breadth(state) == len(list(turns_of(state)))


def test_progress_is_told_after_each_first_move() -> None:
    told: list[tuple[int, int]] = []
    state = read_line(ruleset("throw_in").rules, "6S7D/8S9S - H - attack 0>1")
    perft(state, 2, lambda done, total: told.append((done, total)))
    assert told == [(1, 2), (2, 2)]


def test_the_fixed_deal_is_the_same_for_everybody() -> None:
    state = first_state(ruleset("throw_in", players=2).rules, 2)
    assert state == first_state(ruleset("throw_in", players=2).rules, 2)
    assert (state.turn_up, state.dealer, state.attacker) == ("6C", 0, 0)


def run(*arguments: str) -> str:
    """What the command prints."""
    out = StringIO()
    call_command("perft", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_the_command_counts_and_prints() -> None:
    assert run("throw_in", "--depth", "3").split() == ["1", "7", "2", "33", "3", "68"]


def test_the_command_counts_from_a_position() -> None:
    line = "6S/8S - H - attack 0>1"
    assert run("throw_in", "--depth", "2", "--position", line).split() == ["1", "1", "2", "2"]


def test_the_command_counts_with_options() -> None:
    counted = ("throw_in", "--depth", "2", "--position", "6S6D/7S8S9S - H - attack 0>1")
    agreed = ("-o", "lead_max_cards=1", "--option", "must_defend_if_able=true")
    assert run(*counted).split() == ["1", "3", "2", "9"]
    assert run(*counted, *agreed).split() == ["1", "2", "2", "4"]
    dealt = run("throw_in", "--depth", "1", "-o", "hand_size=8", "-o", "lead_max_cards=1")
    assert dealt.split() == ["1", "8"]


def test_the_command_stores_in_the_order_of_the_rulesets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = tmp_path / "perft.json"
    stored.write_text('{"transfer": {"players": 2, "counts": [1]}}')
    monkeypatch.setattr(command, "STORED", stored)
    run("throw_in", "--depth", "2", "--players", "3", "--write")
    counts = json.loads(stored.read_text())
    assert list(counts) == ["throw_in", "transfer"]
    assert counts["throw_in"]["players"] == 3
    assert len(counts["throw_in"]["counts"]) == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("nothing", "--depth", "2"),
        ("throw_in", "--depth", "0"),
        ("throw_in", "--depth", "many"),
        ("throw_in", "--depth", "2", "--players", "7"),
        ("throw_in", "--depth", "2", "--position", "6S"),
        ("throw_in", "--depth", "2", "--position", "6S/8S - H - attack 0>1", "--write"),
        ("throw_in", "--depth", "2", "-o", "deck_size=52", "--write"),
        ("throw_in", "--depth", "2", "-o", "deck_size=7"),
        ("throw_in", "--depth", "2", "-o", "deck_size"),
        ("throw_in",),
    ],
)
def test_the_command_refuses_what_it_cannot_count(arguments: tuple[str, ...]) -> None:
    with pytest.raises(CommandError):
        run(*arguments)
