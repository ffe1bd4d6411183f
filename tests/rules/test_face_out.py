"""Hands are held with their backs to their owners (оборотный дурак)."""

import pytest

from games.rules import engine
from games.rules.cards import to_cards
from games.rules.errors import MalformedMove
from games.rules.events import BoutTaken, CardsDealt, WrongPlayPunished
from games.rules.game import Chair, Game
from games.rules.moves import Move
from games.rules.rulesets.registry import ruleset, ruleset_ids
from games.rules.rulesets.schema import is_face_out
from games.rules.shuffle import Entropy
from games.rules.state import State
from games.rules.views import Sitter, redact, view_for
from tests.rules.playing import Setting, steps
from tests.rules.tables import (
    PASS,
    TAKE,
    attack,
    beat,
    play,
    refusal,
    table,
    throw_in,
    told,
    transfer,
)

BLIND = "throw_in.face_out"
CHANCE = Entropy(bytes(32), "game", (b"", b""))


def dealt() -> State:
    rules = ruleset(BLIND, players=2).rules
    return engine.fold(State(rules=rules, seats=2), engine.start(rules, 2, CHANCE))


def game_of(state: State) -> Game:
    """A game around the state."""
    return Game(
        ruleset=BLIND,
        options={},
        rules=state.rules,
        ruleset_sha256="",
        creator="0",
        rated=False,
        visibility="public",
        auto_start=True,
        match="m",
        game_number=1,
        commitment="",
        chain_commitment="",
        chairs=(Chair(player="0"), Chair(player="1")),
        status="running",
        state=state,
    )


SITTERS = [Sitter("ann", "human"), Sitter("bob", "human")]


FACE_OUT = [name for name in ruleset_ids("bout") if is_face_out(ruleset(name).rules)]


def test_B29_each_of_the_bout_games_has_a_face_out_form() -> None:
    plain = [name for name in FACE_OUT if ".face_out" in name]
    assert sorted(name.replace(".face_out", "") for name in plain) == sorted(
        f"{base}{ending}"
        for base in ("simple", "throw_in", "transfer")
        for ending in ("", ".full_deal", ".japanese", ".full_deal.japanese")
    )
    assert plain == FACE_OUT


@pytest.mark.parametrize("ruleset_id", FACE_OUT)
def test_B29_a_face_out_game_is_played_by_slots_to_its_end(ruleset_id: str) -> None:
    rules = ruleset(ruleset_id, players=3)
    played = list(steps(Setting(rules, 3, 1, 0.2)))
    kinds = {step.move.type for step in played if step.move.slots}
    assert {"attack", "beat"} <= kinds
    assert ("transfer" in kinds) == ("transfer" in ruleset_id)
    assert not any(step.move.cards for step in played)
    assert any(isinstance(step.events[0], WrongPlayPunished) for step in played)
    assert played[-1].after.result is not None


def test_B30_B31_W05_one_sees_the_others_cards_and_slots_of_ones_own() -> None:
    state = dealt()
    view = view_for(game_of(state), 0, SITTERS)
    assert view["you"]["hand"] == [{"slot": number} for number in range(6)]
    assert view["seats"][1]["hand"] == to_cards(state.hands[1])
    assert "hand" not in view["seats"][0]
    watched = view_for(game_of(state), None, SITTERS)
    assert all("hand" not in seat for seat in watched["seats"])


def picked_up(chance: Entropy) -> tuple[State, State]:
    """The deal, and the state after the first attack was taken and the attacker has drawn."""
    before = dealt()
    seat = before.to_act[0]
    lead = Move("attack", slots=(before.slot_base[seat],))
    after = engine.play(before, seat, lead, chance).state
    after = engine.play(after, 1 - seat, TAKE, chance).state
    while after.phase == "take":
        after = engine.play(after, after.to_act[0], PASS, chance).state
    assert [hand.bit_count() for hand in after.hands] == ([6, 7] if seat == 0 else [7, 6])
    return before, after


def numbers(state: State, seat: int) -> set[int]:
    """The numbers of a hand's slots."""
    return set(range(state.slot_base[seat], state.slot_base[seat] + len(state.slots[seat])))


def test_B31_W06_no_slot_keeps_its_number_when_cards_come() -> None:
    before, after = picked_up(CHANCE)
    for seat in (0, 1):
        assert len(numbers(after, seat)) == after.hands[seat].bit_count()
        assert not numbers(before, seat) & numbers(after, seat)
        assert sorted(card or "" for card in after.slots[seat]) == sorted(
            to_cards(after.hands[seat])
        )
    leader = after.to_act[0]
    for number in numbers(before, leader):
        assert refusal(after, leader, Move("attack", slots=(number,))) == "card_not_in_hand"


def test_B31_W06_chance_alone_orders_the_slots() -> None:
    _, after = picked_up(CHANCE)
    orders = {picked_up(Entropy(bytes([seed]) * 32, "game", ()))[1].slots for seed in range(8)}
    assert len(orders) == 8
    assert all(
        sorted(map(str, order[seat])) == sorted(to_cards(after.hands[seat]))
        for order in orders
        for seat in (0, 1)
    )
    assert len({order[0] for order in orders}) > 1
    assert len({order[1] for order in orders}) > 1


def test_W06_a_hand_to_which_nothing_comes_keeps_its_slots() -> None:
    state = table("9S KC 6D", "TS 7D 8D", "6C 9D", ruleset_id=BLIND)
    after = play(state, (0, attack("9S")), (1, TAKE), (0, PASS), (2, PASS))
    assert numbers(after, 2) == numbers(state, 2)
    assert after.slots[2] == state.slots[2]
    assert not numbers(after, 1) & numbers(state, 1)


def test_W07_who_leads_learns_that_and_no_more() -> None:
    rules = ruleset(BLIND, players=2).rules
    named = engine.start(rules, 2, CHANCE)[-1]
    assert all("card" not in redact(named, viewer)["data"] for viewer in (0, 1, None))


def test_deal_is_shown_to_the_others_only() -> None:
    rules = ruleset(BLIND, players=2).rules
    event = next(e for e in engine.start(rules, 2, CHANCE) if isinstance(e, CardsDealt))
    data = redact(event, 0)["data"]
    assert data["hands"][0] == ["??"] * 6
    assert data["hands"][1] == list(event.hands[1])
    assert data["slots"] == {"base": 0, "count": 6}


def test_B32_D_1_G6_a_wrong_beat_makes_the_defender_take_at_once() -> None:
    state = play(table("9S KC", "8S 7D", "6C 9D", ruleset_id=BLIND), (0, attack("9S")))
    after, events = told(state, (1, beat("9S", "8S")))
    punished, taken = events[:2]
    assert isinstance(punished, WrongPlayPunished)
    assert (punished.seat, punished.cards, punished.target) == (1, ("8S",), "9S")
    assert isinstance(taken, BoutTaken)
    assert (taken.seat, taken.cards) == (1, ("9S",))
    assert (after.attacker, set(to_cards(after.hands[1]))) == (2, {"8S", "7D", "9S"})


def test_D_1_public_reasons_come_first_and_refuse() -> None:
    state = play(table("9S KC 9C", "8S 7D", ruleset_id=BLIND), (0, attack("9S")))
    assert refusal(state, 1, Move("beat", target="9H", slots=(0,))) == "no_such_target"
    assert refusal(state, 0, Move("throw_in", slots=(0,))) == "wrong_phase"


def test_B32_G6_a_wrong_transfer_makes_the_defender_take() -> None:
    state = table("9S KC", "8S 7D", "6C 9D", ruleset_id="transfer.face_out")
    after = play(state, (0, attack("9S")), (1, transfer("8S")))
    assert (after.attacker, after.defender) == (2, 0)


def test_B32_G5_a_wrong_throw_in_takes_the_table_and_frees_the_defender() -> None:
    state = table("9S KC 6D", "TS 7D 8D", "6C 9D", ruleset_id=BLIND)
    after = play(state, (0, attack("9S")), (1, beat("9S", "TS")), (0, throw_in("KC")))
    assert (after.attacker, after.discard_count) == (1, 0)
    assert set(to_cards(after.hands[0])) == {"KC", "6D", "9S", "TS"}


def test_G4_an_attack_is_one_card_and_never_wrong() -> None:
    state = table("9S 9C", "8S 7D 6D", ruleset_id=BLIND)
    assert refusal(state, 0, Move("attack", slots=(0, 1))) == "attack_multi_forbidden"
    pattern = engine.legal_moves(state, 0)[0]
    assert (pattern.type, pattern.slots, pattern.max) == ("attack", (0, 1), 1)


def test_slots_are_refused_where_hands_are_held_the_ordinary_way() -> None:
    with pytest.raises(MalformedMove):
        engine.decide(table("9S 9C", "8S 7D 6D"), 0, Move("attack", slots=(0,)))
