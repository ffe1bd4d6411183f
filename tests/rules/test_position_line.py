"""Positions on one line: written, read as the same position, refused with the field at fault."""

import random
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import engine
from games.rules.cards import to_cards
from games.rules.engine import AnyState
from games.rules.errors import InvalidPosition
from games.rules.line_notes import MAX_LENGTH
from games.rules.moves import Move
from games.rules.notation import read_position, write_position
from games.rules.position_line import read_line, write_line
from games.rules.rulesets.registry import ruleset, ruleset_ids
from games.rules.rulesets.schema import is_face_out
from games.rules.state import State
from tests.cases import Case, playable, start_of
from tests.rules.games import Played, played, preset_game, themes
from tests.rules.tables import TAKE, attack, beat, play, table, throw_in, transfer

SHORT = "6S9D/6C8S/7D8D9H - H - attack 0>1"
RULES = ruleset("transfer").rules


def listed(state: AnyState) -> list[list[str]]:
    """The hands as a line lists them."""
    if isinstance(state, State) and state.slots:
        return [[card for card in slots if card is not None] for slots in state.slots]
    return [list(to_cards(hand)) for hand in state.hands]


def described(state: AnyState) -> dict[str, Any]:
    """The position as JSON, without the holder of the lowest trump where none is exchanged.

    In shedding games without who began, once that is no matter.
    """
    body = write_position(state, listed(state))
    if not isinstance(state, State):
        if state.phase != "name_suit":
            del body["first_player"]
    elif state.rules.trump_exchange == "none":
        del body["lowest_trump_owner"]
    return body


def assert_reads_back(state: AnyState) -> None:
    """A line says all that the referee's JSON says, and leads to the same moves."""
    line = write_line(state)
    again = read_line(state.rules, line)
    assert write_line(again) == line
    assert described(again) == described(state), line
    if not is_face_out(state.rules):  # slots are numbered anew, as the referee does
        seats = range(state.seats)
        moves = [engine.legal_moves(state, seat) for seat in seats]
        assert [engine.legal_moves(again, seat) for seat in seats] == moves, line


def assert_game_reads_back(game: Played) -> None:
    for state in game.states:
        assert_reads_back(state)


@pytest.mark.parametrize("ruleset_id", ruleset_ids())
def test_every_position_of_a_game_of_every_ruleset_reads_back(ruleset_id: str) -> None:
    assert_game_reads_back(preset_game(ruleset_id, random.Random(ruleset_id).randint(2, 6)))


@given(
    theme=st.sampled_from(list(themes())),
    seed=st.text(st.characters(codec="ascii"), max_size=5),
    data=st.data(),
)
def test_every_position_under_every_option_reads_back(
    theme: tuple[str, dict[str, Any], int], seed: str, data: st.DataObject
) -> None:
    name, options, seats = theme
    game = played(ruleset(name, options, seats), seats, seed)
    for state in data.draw(st.lists(st.sampled_from(game.states), min_size=20, max_size=20)):
        assert_reads_back(state)
    assert_reads_back(game.states[-1])


@pytest.mark.parametrize("case", playable(), ids=lambda case: case["id"])
def test_a_case_begins_with_a_position_that_fits_on_a_line(case: Case) -> None:
    rules = ruleset(case["ruleset"], case["options"], len(case["hands"])).rules
    assert_reads_back(read_position(rules, start_of(case))[0])


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (SHORT, {"hands": [["6S", "9D"], ["6C", "8S"], ["7D", "8D", "9H"]], "trump": "H"}),
        ("6S/7S TCJH H - attack 0>1", {"talon": ["TC", "JH"], "turn_up": "JH"}),
        ("6S/7S/9D - H - attack 2>0", {"talon": [], "attacker": 2, "defender": 0}),
        ("7D/9S TH H 6S<TS,6C defend 0>1", {"table": [("6S", "TS"), ("6C", None)]}),
        ("7D/9S TH H 6S<TS throw_in 0>1", {"phase": "throw_in", "to_act": [0]}),
        ("7D/9S9C TH H 6S take 0>1", {"phase": "take", "to_act": [0]}),
        ("7D/9S9C/KS AH H 6S take 0>1 passed=0", {"to_act": [2], "passed": [0]}),
        ("-/9S/KS 9HAS H 6S defend 0>1 emptied=0", {"emptied": [0], "out_in_order": []}),
        ("-/9S/KS - H - attack 1>2 out_in_order=0", {"out_in_order": [0]}),
        ("6S/7S - H - attack 0>1 dealer=1 discard_count=12", {"dealer": 1, "discard_count": 12}),
        ("6S/7S - H - attack 0>1 first_bout=yes", {"first_bout": True}),
        ("7H/6H - H 7S defend 0>1 shown=7H", {"shown": ["7H"]}),
        ("-/9S - - - finished - out_in_order=0 durak=1", {"durak": 1, "winner": 0, "draw": False}),
        ("6S/7S - - - finished - draw=yes", {"draw": True, "durak": None, "game_over": True}),
        ("-/6S/-/7S - - - finished - out_in_order=0,2 durak=1,3", {"durak": (1, 3)}),
    ],
)
def test_what_a_line_says(line: str, said: dict[str, Any]) -> None:
    pairs = [{"attack": one, "beat": other} for one, other in said.get("table", ())]
    said = said | ({"table": pairs} if pairs else {})
    state = read_line(RULES, line)
    assert {name: write_position(state, listed(state))[name] for name in said} == said
    assert_reads_back(state)


@pytest.mark.parametrize(
    ("ruleset_id", "line", "said"),
    [
        ("mau_mau", "8H9D/8C9H TCJC 6CKD play 0", {"discard_pile": ["6C", "KD"], "to_act": [0]}),
        ("mau_mau", "8H9D/8C9H - - play 1", {"discard_pile": [], "talon": [], "to_act": [1]}),
        ("mau_mau", "8H/8C TC QS play 1 dealer=1 named_suit=H", {"named_suit": "H", "dealer": 1}),
        ("mau_mau", "8H9D/8C TC KD drawn 0 drawn=9D", {"drawn": "9D", "phase": "drawn"}),
        ("mau_mau", "8H/8C TC KD play 1 passed=0", {"passed": [0]}),
        (
            "mau_mau",
            "-/8C TC KD finished - out_in_order=0",
            {"durak": 1, "points": {"0": 0, "1": 8}},
        ),
        ("mau_mau", "7S/8C - KD finished - stalemate=yes", {"stalemate": True, "durak": 1}),
        ("english_durak", "8H/8C TC AD ace_chain 0", {"phase": "ace_chain"}),
        ("english_durak", "8H/8D TC AD play 1 ace_right=1", {"ace_right": 1}),
        (
            "hundred_one",
            "-/8C/8D TC QS play 1 out_in_order=0 last_cards=QS",
            {"out_in_order": [0], "last_cards": ["QS"]},
        ),
        (
            "japanese_shedding",
            "8H/9S TC QD name_suit 1 dealer=1 first_player=0",
            {"first_player": 0},
        ),
    ],
)
def test_what_a_line_of_a_shedding_game_says(
    ruleset_id: str, line: str, said: dict[str, Any]
) -> None:
    state = read_line(ruleset(ruleset_id).rules, line)
    body = write_position(state, listed(state))
    assert {name: body[name] for name in said} == said
    assert write_line(state) == line
    assert write_line(read_line(state.rules, line.lower())) == line


def test_a_penalty_that_may_be_passed_on_is_told() -> None:
    rules = ruleset("mau_mau", {"stacking": "same_rank"}).rules
    line = "8H/6C9S TC 6D play 1 pending=2+1"
    assert write_line(read_line(rules, line)) == line


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ("8H/8C TC KD play", "line"),
        ("8H/8C TC KD", "line"),
        ("8H/8X TC KD play 0", "hands"),
        ("8H/8C TX KD play 0", "talon"),
        ("8H/8C TC KX play 0", "discard_pile"),
        ("8H/8C TC KD attack 0", "phase"),
        ("8H/8C TC KD play x", "to_act"),
        ("8H/8C TC KD play 0 trump=H", "trump"),
        ("8H/8C TC KD play 0 named_suit=X", "named_suit"),
        ("8H/8C TC KD play 0 pending=2", "pending"),
        ("8H/8C TC KD play 0 passed=0 passed=1", "passed"),
        ("8H/8C TC KD play 0 stalemate=no", "stalemate"),
    ],
)
def test_a_line_of_a_shedding_game_that_cannot_be_read(line: str, field: str) -> None:
    with pytest.raises(InvalidPosition) as raised:
        read_line(ruleset("mau_mau").rules, line)
    assert raised.value.errors.keys() == {field}


def test_an_ordinary_position_is_short() -> None:
    state = table("6S 9D", "6C 8S", "7D 8D 9H")
    assert write_line(state) == SHORT
    assert write_line(play(state, (0, attack("6S")))) == SHORT.replace("6S9D", "9D").replace(
        "- attack", "6S defend"
    )


def test_plays_that_may_be_called_are_told_with_their_verdict() -> None:
    options = {"enforcement": "catchable"}
    state = table("6S 9D KC", "6C 8S", "7D 8D 9H", options=options)
    state = play(state, (0, attack("6S")), (1, beat("6S", "6C")), (0, throw_in("9D")))
    line = write_line(state)
    assert line == "KC/8S/7D8D9H - H 6S<6C,9D defend 0>1 plays=1:6S<6C!,0:+9D!"
    assert read_line(state.rules, line).plays == state.plays


def test_hands_are_listed_as_the_caller_lists_them() -> None:
    state = read_line(RULES, SHORT)
    line = write_line(state, [["9D", "6S"], ["8S", "6C"], ["9H", "7D", "8D"]])
    assert line == "9D6S/8S6C/9H7D8D - H - attack 0>1"
    assert read_line(RULES, line) == state


def test_hands_face_out_are_listed_by_slot() -> None:
    rules = ruleset("throw_in.face_out").rules
    line = "9D6S/8S6C - H - attack 0>1"
    state = read_line(rules, line)
    assert state.slots == (("9D", "6S"), ("8S", "6C"))
    assert write_line(state) == line


@pytest.mark.parametrize(
    "line",
    [
        "6s9d/6c8s/7d8d9h - h - attack 0>1",
        "  6S9D/6C8S/7D8D9H   - H\t- attack 0>1 dealer=0 \n",
    ],
)
def test_lines_are_read_leniently_and_written_strictly(line: str) -> None:
    assert write_line(read_line(RULES, line)) == SHORT


def test_a_ten_may_be_written_with_two_digits() -> None:
    assert write_line(read_line(RULES, "10S/10d - H - attack 0>1")).startswith("TS/TD ")


def test_who_got_the_lowest_trump_is_told_where_it_matters() -> None:
    rules = ruleset("throw_in", {"trump_exchange": "six_for_any"}).rules
    line = "6H9D/6C8S TCJH H - attack 0>1 lowest_trump_owner=1"
    assert write_line(read_line(rules, line)) == line
    assert write_line(read_line(RULES, line)) == line.rsplit(" ", 1)[0]


def test_no_open_card_is_told_where_the_rules_have_none() -> None:
    rules = ruleset("throw_in.japanese").rules
    hidden = "6S/7S TCJH D - attack 0>1"
    assert read_line(rules, hidden).turn_up is None
    with pytest.raises(InvalidPosition, match="turn_up"):
        read_line(rules, hidden + " turn_up=JH")


def test_who_holds_no_cards_has_shed_his_last_one() -> None:
    line = "-/9S/KS 9HAS H 6S defend 0>1"
    assert read_line(RULES, line).emptied == (0,)
    with pytest.raises(InvalidPosition, match="emptied"):
        read_line(RULES, line + " emptied=-")


def test_a_limit_is_told_if_a_card_was_called_back_since() -> None:
    rules = ruleset("transfer", {"enforcement": "catchable", "throw_in_timing": "anytime"}).rules
    state = read_line(rules, "6SKDQD8D/6HADJD/9C8C7CTC - D - attack 0>1")
    for seat, move in (
        (0, attack("6S")),
        (2, throw_in("9C")),
        (1, transfer("6H")),
        (0, Move("call", cards=("9C",))),
        (2, TAKE),
    ):
        state = engine.play(state, seat, move).state
    assert " limit=3" in write_line(state)
    assert_reads_back(state)
    again = read_line(rules, write_line(state))
    assert engine.legal_moves(again, 0) == engine.legal_moves(state, 0)


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ("", "line"),
        ("6S/7S - H - attack", "line"),
        (SHORT + " " * MAX_LENGTH, "line"),
        ("6S7/7S - H - attack 0>1", "hands"),
        ("6S//7S - H - attack 0>1", "hands"),
        ("??/7S - H - attack 0>1", "hands"),
        ("6S/6S - H - attack 0>1", "hands"),
        ("2S/6S - H - attack 0>1", "hands"),
        ("6S - H - attack 0>1", "hands"),
        ("6ſ/7S - H - attack 0>1", "hands"),
        ("6S/7S 8 H - attack 0>1", "talon"),
        ("6S/7S - X - attack 0>1", "trump"),
        ("6S/7S - H 8S9S defend 0>1", "table"),
        ("6S/7S - H 8S< defend 0>1", "table"),
        ("6S/7S - H 8S<9S<TS defend 0>1", "table"),
        ("6S/7S - H 9S<8S throw_in 0>1", "table"),
        ("6S/7S - H - - 0>1", "phase"),
        ("6S/7S - H - defend 0>1", "phase"),
        ("6S/7S - H - attack 0", "attacker"),
        ("6S/7S - H - attack -", "attacker"),
        ("6S/7S - H - attack 7>1", "attacker"),
        ("6S/7S - H - attack 0>0", "defender"),
        ("6S/7S - H - attack 0>1 dealer=2", "dealer"),
        ("6S/7S - H - attack 0>1 dealer=one", "dealer"),
        ("6S/7S - H - attack 0>1 dealer=²", "dealer"),
        ("6S/7S - H - attack 0>1 dealer", "dealer"),
        ("6S/7S - H - attack 0>1 dealer=1 dealer=1", "dealer"),
        ("6S/7S - H - attack 0>1 discard=2", "discard"),
        ("6S/7S - H - attack 0>1 discard_count=-2", "discard_count"),
        ("6S/7S - H - attack 0>1 discard_count=99", "discard_count"),
        ("6S/7S - H - attack 0>1 first_bout=no", "first_bout"),
        ("6S/7S - H - attack 0>1 shown=", "shown"),
        ("6S/7S - H - attack 0>1 turn_up=8S9S", "turn_up"),
        ("6S/7S - H - attack 0>1 passed=0,,1", "passed"),
        ("6S/7S - H - attack 0>1 plays=0:take", "plays"),
        ("6S/7S - H - attack 0>1 plays=0:+6S7S", "plays"),
        ("6S/7S - H - attack 0>1 plays=6S", "plays"),
        ("6S/7S - H - attack 0>1 plays=9:+6S", "plays[0].seat"),
    ],
)
def test_a_line_that_says_nothing_sensible_names_the_field(line: str, field: str) -> None:
    with pytest.raises(InvalidPosition) as refused:
        read_line(RULES, line)
    assert set(refused.value.errors) == {field}
    assert refused.value.errors[field]


@given(st.text("6S9D/-H attack0>1=,<T:+", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    for line in (text, SHORT + " " + text, f"6S/7S - H {text} defend 0>1"):
        with suppress(InvalidPosition):
            assert_reads_back(read_line(RULES, line))


def test_where_there_is_no_trump_a_line_says_so() -> None:
    options = {
        "trump_source": "none",
        "first_attacker": "random",
        "next_first_attacker": "previous_winner",
    }
    rules = ruleset("throw_in", options).rules
    assert read_line(rules, "6S/7S/9D - - - attack 2>0").trump is None
    assert_reads_back(read_line(rules, "6S/7S/9D - - - attack 2>0"))
