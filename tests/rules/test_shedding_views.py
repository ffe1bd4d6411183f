"""What is shown of a shedding game, and to whom."""

from typing import Any

import msgspec
import pytest

from games.rules import engine
from games.rules import game as games
from games.rules.cards import to_cards
from games.rules.events import CardsDrawn, DiscardRecycled, GameStarted, StarterOpened
from games.rules.game import Game
from games.rules.rulesets.registry import ruleset
from games.rules.views import Sitter, redact, reveal, view_for
from tests.rules.piles import DRAW, PASS, lay, name, table, told
from tests.rules.playing import Setting, entropy, opening

FIELDS = {
    *("phase", "to_act", "deadline", "dealer", "talon_count", "discard_count", "passed"),
    *("top_card", "named_suit", "pending", "ace_right"),
}
BOUT_FIELDS = {"trump", "turn_up", "table", "attacker", "defender"}


def game_at(state: Any) -> Game:
    """A game that stands at a state."""
    rules = ruleset("mau_mau")
    created, *others = opening(Setting(rules, state.seats, 0, 0.0))
    game = games.fold(None, (created, *others))
    return msgspec.structs.replace(game, rules=state.rules, state=state, status="running")


def shown(game: Game, viewer: int | None) -> Any:
    sitters = [Sitter(str(seat), "human") for seat in range(len(game.chairs))]
    return msgspec.json.decode(msgspec.json.encode(view_for(game, viewer, sitters)))


def test_W01_a_view_has_the_fields_of_a_shedding_game() -> None:
    view = shown(game_at(table("9D 8H", "8C 9H 6S", pile="6C KD", talon="TC JC")), 0)
    assert view.keys() >= FIELDS
    assert not view.keys() & BOUT_FIELDS
    assert (view["top_card"], view["talon_count"], view["discard_count"]) == ("KD", 2, 2)
    assert view["you"]["hand"] == ["8H", "9D"]
    assert [seat["hand_count"] for seat in view["seats"]] == [2, 3]


def test_before_the_start_there_is_nothing_on_the_table() -> None:
    game = games.fold(None, opening(Setting(ruleset("mau_mau"), 2, 0, 0.0)))
    view = shown(game, 0)
    assert view.keys() >= FIELDS
    assert not view.keys() & BOUT_FIELDS
    assert (view["top_card"], view["to_act"], view["you"]["hand"]) == (None, [], [])


def test_between_start_and_deal_hands_are_empty() -> None:
    game = games.fold(None, opening(Setting(ruleset("mau_mau"), 2, 0, 0.0)))
    view = shown(games.evolve(game, GameStarted(dealer=1)), 0)
    assert (view["dealer"], view["you"]["hand"], view["top_card"]) == (1, [], None)


def test_patterns_say_which_suits_may_be_named() -> None:
    view = shown(game_at(table("9D QS", "8C 9H")), 0)
    assert view["you"]["legal_moves"] == [
        {"type": "play", "cards": ["9D"], "min": 1, "max": 1},
        {
            "type": "play",
            "cards": ["QS"],
            "min": 1,
            "max": 1,
            "suits": ["S", "H", "D", "C"],
            "suit_required": False,
        },
    ]


def test_patterns_say_which_ace_may_come_first_and_how_many_follow() -> None:
    state = table("AD AC AS 8H", "8C 9H", ruleset_id="japanese_shedding")
    assert shown(game_at(state), 0)["you"]["legal_moves"] == [
        {"type": "play", "cards": ["AD"], "min": 1, "max": 1},
        {"type": "play", "cards": ["AD", "AS", "AC"], "first": ["AD"], "min": 3, "max": 3},
    ]


def test_counts_with_a_gap_between_them_are_two_patterns() -> None:
    state = table("AD AC AS AH", "8C 9H", options={"multi_play": {"A": [2, 4]}})
    several = engine.legal_moves(state, 0)[1:]
    assert [(pattern.min, pattern.max) for pattern in several] == [(2, 2), (4, 4)]
    state = table("AD AC AS AH", "8C 9H", options={"multi_play": {"A": [3, 2]}})
    several = engine.legal_moves(state, 0)[1:]
    assert [(pattern.min, pattern.max) for pattern in several] == [(2, 3)]


def test_patterns_of_an_ace_that_takes_a_second_card_require_a_suit() -> None:
    state, _ = told(table("AD 9D QD 8H", "8C 9H", ruleset_id="english_durak"), (0, lay("AD")))
    suits = [(move.cards, move.suits, move.suit_required) for move in engine.legal_moves(state, 0)]
    assert suits == [
        (("9D",), ("S", "H", "C"), True),
        (("QD",), ("S", "H", "D", "C"), True),
        (None, None, None),
    ]


def test_the_right_of_an_ace_is_shown_with_who_has_it() -> None:
    state = table("AD 9D 8H", "8D 9H", ruleset_id="english_durak")
    state, _ = told(state, (0, lay("AD")), (0, PASS))
    view = shown(game_at(state), 1)
    assert view["ace_right"] == 1
    assert view["you"]["legal_moves"][0]["suits"] == ["S", "H", "C"]
    assert view["you"]["legal_moves"][0]["suit_required"] is False


def test_a_penalty_that_may_be_passed_on_is_shown() -> None:
    state = table("6D 8H", "6S 9H", options={"stacking": "same_rank"})
    view = shown(game_at(told(state, (0, lay("6D")))[0]), 1)
    assert view["pending"] == {"draw": 2, "skip": 1}
    assert {move["type"] for move in view["you"]["legal_moves"]} == {"play", "draw"}


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_W13_W02_a_drawn_card_is_known_to_who_drew_it_alone(viewer: int | None) -> None:
    _, events = told(table("7S 8H", "8C 9H", talon="9C 6D"), (0, DRAW))
    told_to = redact(events[0], viewer)
    assert told_to["data"]["cards"] == (["9C", "6D"] if viewer == 0 else ["??", "??"])
    assert reveal(events[0])["data"]["cards"] == ("9C", "6D")


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_a_penalty_is_drawn_in_secret_too(viewer: int | None) -> None:
    _, events = told(table("6D 8H", "8C 9H", talon="9C TC JC"), (0, lay("6D")))
    (drawn,) = [event for event in events if isinstance(event, CardsDrawn)]
    assert redact(drawn, viewer)["data"] == {
        "cards": ["9C", "TC"] if viewer == 1 else ["??", "??"],
        "penalty": True,
    }


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_of_a_pile_turned_over_only_the_size_is_told(viewer: int | None) -> None:
    event = DiscardRecycled(seat=0, cards=("6C", "TH"))
    assert redact(event, viewer)["data"] == {"cards": ["??", "??"]}
    assert reveal(event)["data"]["cards"] == ("6C", "TH")


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_an_opened_card_and_a_named_suit_are_told_to_everybody(viewer: int | None) -> None:
    opened = redact(StarterOpened(card="JD", seat=1), viewer)
    assert (opened["seat"], opened["data"]["card"]) == (1, "JD")
    state = table(
        *("9S 8H", "QD"),
        pile="QH",
        dealer=0,
        phase="name_suit",
        options={"starter": "deck_top"},
    )
    _, events = told(state, (0, name("S")))
    assert redact(events[0], viewer) == {"type": "suit_named", "seat": 0, "data": {"suit": "S"}}


def test_G23_what_others_see_does_not_depend_on_what_was_drawn() -> None:
    views = []
    for drawn in ("9D", "9C"):
        state = table("7S 8H", "8C 9H", talon=drawn, ruleset_id="japanese_shedding")
        state, events = told(state, (0, DRAW))
        views.append((shown(game_at(state), 1), redact(events[0], 1), events[0].next))
    assert views[0] == views[1]


def test_a_real_deal_shows_a_hand_to_its_owner_alone() -> None:
    setting = Setting(ruleset("japanese_shedding"), 3, 5, 0.0)
    dealt = engine.start(setting.rules.rules, 3, entropy(setting))
    game = games.fold(None, (*opening(setting), *dealt))
    assert game.state is not None
    assert shown(game, 1)["you"]["hand"] == list(to_cards(game.state.hands[1]))
    assert shown(game, None)["you"] is None
