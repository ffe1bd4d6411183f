"""What a typed line means."""

from typing import Any

import pytest

from bots.console.typed import Reading, choices, read_line

ATTACK: dict[str, Any] = {
    "phase": "attack",
    "trump": "H",
    "table": [],
    "you": {
        "hand": ["6S", "6H", "TD"],
        "legal_moves": [
            {"type": "attack", "cards": ["6S", "6H"], "min": 1, "max": 2},
            {"type": "attack", "cards": ["TD"], "min": 1, "max": 1},
        ],
    },
}
DEFEND: dict[str, Any] = {
    "phase": "defend",
    "trump": "H",
    "table": [{"attack": "6C", "beat": None}, {"attack": "6D", "beat": None}],
    "you": {
        "hand": ["9C", "TD", "7H", "6H"],
        "legal_moves": [
            {"type": "beat", "target": "6C", "cards": ["7H", "9C"], "min": 1, "max": 1},
            {"type": "beat", "target": "6D", "cards": ["7H", "TD"], "min": 1, "max": 1},
            {"type": "transfer", "cards": ["6H"], "min": 1, "max": 1},
            {"type": "take"},
        ],
    },
}
THROW: dict[str, Any] = {
    "phase": "throw_in",
    "trump": "H",
    "table": [{"attack": "6C", "beat": "9C"}],
    "you": {
        "hand": ["9D", "KD"],
        "legal_moves": [
            {"type": "throw_in", "cards": ["9D"], "min": 1, "max": 1},
            {"type": "pass"},
        ],
    },
}


def beat(target: str, card: str) -> dict[str, Any]:
    return {"type": "beat", "target": target, "cards": [card]}


def test_offers_single_cards_cheapest_first_and_whole_ranks() -> None:
    assert choices(ATTACK) == [
        {"type": "attack", "cards": ["6S"]},
        {"type": "attack", "cards": ["6H"]},
        {"type": "attack", "cards": ["6S", "6H"]},
        {"type": "attack", "cards": ["TD"]},
    ]
    assert choices(DEFEND)[:2] == [beat("6C", "9C"), beat("6C", "7H")]


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("3", {"type": "attack", "cards": ["6S", "6H"]}),
        ("6s", {"type": "attack", "cards": ["6S"]}),
        ("6♥, 6♠", {"type": "attack", "cards": ["6H", "6S"]}),
        ("10d", {"type": "attack", "cards": ["TD"]}),
        ("attack 10♦\ufe0f", {"type": "attack", "cards": ["TD"]}),
        ("захожу 6s", {"type": "attack", "cards": ["6S"]}),
    ],
)
def test_an_attack_in_many_spellings(line: str, move: dict[str, Any]) -> None:
    assert read_line(line, ATTACK) == Reading(moves=(move,))


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("9C", beat("6C", "9C")),
        ("6C 7H", beat("6C", "7H")),
        ("beat 6D 7H", beat("6D", "7H")),
        ("6H", {"type": "transfer", "cards": ["6H"]}),
        ("перевожу 6H", {"type": "transfer", "cards": ["6H"]}),
        ("take", {"type": "take"}),
        ("БЕРУ", {"type": "take"}),
    ],
)
def test_a_defence_in_many_spellings(line: str, move: dict[str, Any]) -> None:
    assert read_line(line, DEFEND).moves == (move,)


def test_a_card_that_could_do_several_things_gives_them_all() -> None:
    assert read_line("7H", DEFEND).moves == (beat("6C", "7H"), beat("6D", "7H"))


@pytest.mark.parametrize(
    ("line", "view", "move"),
    [
        ("KD", THROW, {"type": "throw_in", "cards": ["KD"]}),
        ("TD 6S", ATTACK, {"type": "attack", "cards": ["TD", "6S"]}),
        ("8S", DEFEND, beat("6C", "8S")),
        ("6C TD", DEFEND, beat("6C", "TD")),
        ("transfer TD", DEFEND, {"type": "transfer", "cards": ["TD"]}),
        ("take", THROW, {"type": "take"}),
        ("бито", DEFEND, {"type": "pass"}),
    ],
)
def test_what_is_not_allowed_is_read_for_the_rules_to_refuse(
    line: str, view: dict[str, Any], move: dict[str, Any]
) -> None:
    assert read_line(line, view).moves == (move,)


@pytest.mark.parametrize("line", ["0", "99", "8X", "hello", "attack", "take 6S", "6S 7S 8S", "-1"])
def test_what_means_nothing_gives_no_move(line: str) -> None:
    assert read_line(line, DEFEND) == Reading()


@pytest.mark.parametrize(
    ("line", "command"),
    [("help", "help"), ("?", "help"), ("ПРАВИЛА", "rules"), ("q", "quit"), ("", "table"),
     ("  \n", "table"), ("стол", "table")],
)  # fmt: skip
def test_commands(line: str, command: str) -> None:
    assert read_line(line, ATTACK) == Reading(command)


SHED: dict[str, Any] = {
    "phase": "play",
    "top_card": "KD",
    "you": {
        "hand": ["9D", "QS"],
        "legal_moves": [
            {"type": "play", "cards": ["9D"], "min": 1, "max": 1},
            {
                "type": "play",
                "cards": ["QS"],
                "min": 1,
                "max": 1,
                "suits": ["S", "H", "D", "C"],
                "suit_required": False,
            },
            {"type": "draw"},
        ],
    },
}


def play(card: str, suit: str | None = None) -> dict[str, Any]:
    return {"type": "play", "cards": [card]} | ({"suit": suit} if suit else {})


def test_offers_a_card_that_may_name_a_suit_with_each() -> None:
    naming = [play("QS"), *(play("QS", suit) for suit in "SHDC")]
    assert choices(SHED) == [play("9D"), *naming, {"type": "draw"}]


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("9D", play("9D")),
        ("кладу 9♦", play("9D")),
        ("QS", play("QS")),
        ("QS H", play("QS", "H")),
        ("q♠=♥", play("QS", "H")),
        ("play qs d", play("QS", "D")),
        ("4", play("QS", "H")),
        ("draw", {"type": "draw"}),
        ("тяну", {"type": "draw"}),
        ("пас", {"type": "pass"}),
        ("suit H", {"type": "name_suit", "suit": "H"}),
        ("масть ♥", {"type": "name_suit", "suit": "H"}),
        ("9D H", play("9D", "H")),
        ("8C", play("8C")),
    ],
)
def test_shedding_moves_in_many_spellings(line: str, move: dict[str, Any]) -> None:
    assert read_line(line, SHED).moves == (move,)


@pytest.mark.parametrize("line", ["suit", "draw H", "suit 9D H"])
def test_what_means_nothing_in_a_shedding_game(line: str) -> None:
    assert read_line(line, SHED) == Reading()


def test_several_aces_are_offered_at_once_and_begin_with_one_that_fits() -> None:
    aces = {"type": "play", "cards": ["AD", "AS", "AC"], "first": ["AD"], "min": 3, "max": 3}
    view = SHED | {"you": {"hand": [], "legal_moves": [aces]}}
    whole = {"type": "play", "cards": ["AD", "AS", "AC"]}
    assert choices(view) == [whole]
    assert read_line("AD AS AC", view).moves == (whole,)
    assert read_line("AS AD AC", view).moves == ({"type": "play", "cards": ["AS", "AD", "AC"]},)
