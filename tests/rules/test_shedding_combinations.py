"""Orders that skip, and last cards without effect, together with every effect of a card."""

from typing import Any

import pytest

from games.rules.events import Penalty, SeatSkipped
from games.rules.rulesets.registry import ruleset, ruleset_ids
from games.rules.shedding.state import SheddingState
from tests.rules.piles import DRAW, PASS, Turn, lay, points, table, told
from tests.rules.tables import counts, refusal

TALON = "JC JD JH JS TC 8D 8S 9D"
LASTING: dict[str, Any] = {"end": "last_holder"}
INERT: dict[str, Any] = {"last_card_effect": False}


def after(state: SheddingState, *turns: Turn) -> tuple[tuple[int, ...], list[int], int]:
    """How many cards each then holds, who missed a turn by the last move, and who is to act."""
    state, events = told(state, *turns)
    skipped = [event.seat for event in events if isinstance(event, SeatSkipped)]
    [actor] = state.to_act
    return counts(state), skipped, actor


def four(first: str, **more: Any) -> SheddingState:
    """Four seats, the first of which is to act."""
    return table(first, "8C 9H", "9S TS", "7C 7H", pile="KD", talon=TALON, **more)


ORDERS = pytest.mark.parametrize(
    ("effect", "plain", "ordering"),
    [
        ({}, (0, 0), (0, 1)),
        ({"draw": 2, "skip": 0}, (2, 0), (2, 1)),
        ({"draw": 0, "skip": 1}, (0, 1), (0, 1)),
        ({"draw": 1, "skip": 1}, (1, 1), (1, 1)),
        ({"draw": 1, "skip": 2}, (1, 2), (1, 2)),
    ],
)


@ORDERS
@pytest.mark.parametrize("order_skips_next", [True, False])
def test_C5_V6b_an_order_skips_the_next_player_who_is_not_skipped_anyway(
    effect: dict[str, int],
    plain: tuple[int, int],
    ordering: tuple[int, int],
    order_skips_next: bool,
) -> None:
    options = {"order_skips_next": order_skips_next, "effects": {"Q": effect} if effect else {}}
    state = four("QC 8H", options=options)
    for suit in (None, "H"):
        draws, skips = ordering if suit and order_skips_next else plain
        expected = (1, 2 + draws, 2, 2), [*range(1, 1 + skips)], 1 + skips
        assert after(state, (0, lay("QC", suit))) == expected


@ORDERS
@pytest.mark.parametrize("order_skips_next", [True, False])
def test_C5_V6b_G19_an_order_with_the_last_card_skips_unless_last_cards_do_nothing(
    effect: dict[str, int],
    plain: tuple[int, int],
    ordering: tuple[int, int],
    order_skips_next: bool,
) -> None:
    order = {"order_skips_next": order_skips_next, "effects": {"Q": effect} if effect else {}}
    options = LASTING | order
    draws, skips = ordering if order_skips_next else plain
    expected = (0, 2 + draws, 2, 2), [*range(1, 1 + skips)], 1 + skips
    assert after(four("QC", options=options), (0, lay("QC", "H"))) == expected
    state = four("QC", options=options | INERT)
    assert after(state, (0, lay("QC", "H"))) == ((0, 2, 2, 2), [], 1)
    state, _ = told(state, (0, lay("QC", "H")))
    assert state.named_suit == "H"
    assert refusal(state, 1, lay("8C")) == "no_match"


def test_C5_V6b_an_order_over_a_drawn_queen_skips_too() -> None:
    state = table("8C 9C", "7H 9H", "9S TS", pile="6D", talon="QC JD", ruleset_id="pentagon")
    assert after(state, (0, DRAW), (0, lay("QC", "H"))) == ((2, 2, 2), [1], 2)


@pytest.mark.parametrize("suit", [None, "H"])
def test_where_a_penalty_may_be_passed_on_an_order_adds_no_skip_to_it(suit: str | None) -> None:
    options = {
        "order_skips_next": True,
        "stacking": "same_rank",
        "effects": {"Q": {"draw": 1, "skip": 0}},
    }
    state, _ = told(four("QC 8H", options=options), (0, lay("QC", suit)))
    assert (state.pending, state.to_act) == (Penalty(1, 0), (1,))
    assert after(state, (1, DRAW)) == ((1, 3, 2, 2), [], 1)


def striking() -> list[tuple[str, str]]:
    """Every preset with every card that acts there on the next player."""
    return [
        (name, card if len(card) == 2 else card + "D")
        for name in ruleset_ids("shedding")
        for card in ruleset(name).rules.effects
        if (name, card) != ("english_durak", "A")
    ]


@pytest.mark.parametrize(("ruleset_id", "card"), striking())
@pytest.mark.parametrize("acts", [True, False])
def test_G19_a_last_card_acts_on_the_next_unless_last_cards_do_nothing(
    ruleset_id: str, card: str, acts: bool
) -> None:
    effects = ruleset(ruleset_id).rules.effects
    draws = (effects.get(card) or effects[card[0]])["draw"]
    state = table(
        *(card, "8C 9H", "9S TS"),
        pile=("A" if card[0] == "K" else "K") + card[1],
        talon="JC JD JH JS TC 8S 9D",
        ruleset_id=ruleset_id,
        options=LASTING | {"last_card_effect": acts},
    )
    expected = ((0, 2 + draws, 2), [1], 2) if acts else ((0, 2, 2), [], 1)
    assert after(state, (0, lay(card))) == expected


@pytest.mark.parametrize("aces", ["AD AC AS", "AD AC AS AH"])
def test_G16_G19_several_aces_as_last_cards_skip_all_or_nobody(aces: str) -> None:
    japanese: dict[str, Any] = {"ruleset_id": "japanese_shedding"}
    assert after(four(aces, **japanese), (0, lay(aces))) == ((0, 2, 2, 2), [1, 2, 3], 1)
    state = four(aces, options=INERT, **japanese)
    assert after(state, (0, lay(aces))) == ((0, 2, 2, 2), [], 1)


@pytest.mark.parametrize(("options", "counted"), [({}, 24), (INERT, 8)])
def test_G19_what_a_last_card_makes_the_next_draw_is_counted(
    options: dict[str, Any], counted: int
) -> None:
    rules: dict[str, Any] = {"effects": {"9": {"draw": 2, "skip": 0}}} | options
    state, _ = told(table("9D", "8C", talon="7C 9H", options=rules), (0, lay("9D")))
    assert points(state) == {"0": 0, "1": counted}


@pytest.mark.parametrize(("card", "draws"), [("6", 2), ("7", 1)])
@pytest.mark.parametrize("acts", [True, False])
def test_G19_a_last_card_that_does_nothing_adds_nothing_to_what_it_passes_on(
    card: str, draws: int, acts: bool
) -> None:
    options = LASTING | {"stacking": "same_rank", "last_card_effect": acts}
    state = table(f"{card}D 8H", f"{card}S", "9C TS", talon=TALON, options=options)
    state, _ = told(state, (0, lay(f"{card}D")), (1, lay(f"{card}S")))
    due = 2 * draws if acts else draws
    assert state.pending == Penalty(due, 1)
    assert after(state, (2, DRAW)) == ((1, 0, 2 + due), [2], 0)


def test_G19_a_last_card_that_does_nothing_leaves_nothing_to_pass_on() -> None:
    options = LASTING | INERT | {"stacking": "same_rank"}
    state, _ = told(four("AD", options=options), (0, lay("AD")))
    assert (state.pending, state.to_act) == (None, (1,))
    assert refusal(state, 1, PASS) == "pass_not_allowed"


@pytest.mark.parametrize("acts", [True, False])
def test_C5_V4a_G19_the_card_added_to_an_ace_as_the_last_one(acts: bool) -> None:
    options = LASTING | {"last_card_effect": acts}
    english: dict[str, Any] = {"ruleset_id": "english_durak", "options": options}
    state = table("9C TS", "AD 6D", "8C 9H", talon=TALON, to_act=1, **english)
    expected = ((2, 0, 4), [2], 0) if acts else ((2, 0, 2), [], 2)
    assert after(state, (1, lay("AD")), (1, lay("6D", "C"))) == expected
