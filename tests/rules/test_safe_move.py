"""The safe move: what is played for a seat whose time is up (X01)."""

import random

from hypothesis import given
from hypothesis import strategies as st

from games.rules import engine
from games.rules.moves import Move
from games.rules.safe_move import safe_move
from tests.rules import piles, tables
from tests.rules.playing import Setting, any_turn, entropy, settings, shedding_settings, start
from tests.rules.tables import attack, beat, play, throw_in


def test_X01_a_leader_leads_his_lowest_plain_card() -> None:
    assert safe_move(tables.table("6H 9S 9D KC", "7C 8C"), 0) == attack("9D")
    assert safe_move(tables.table("QH 7H", "7C 8C"), 0) == attack("7H")


def test_X01_a_defender_takes() -> None:
    state = play(tables.table("6S", "7S 8S"), (0, attack("6S")))
    assert safe_move(state, 1) == Move("take")


def test_X01_who_must_beat_beats_as_cheaply_as_he_can() -> None:
    state = tables.table("6S 9C", "6H KS 8S 7D", options={"must_defend_if_able": True})
    assert safe_move(play(state, (0, attack("6S"))), 1) == beat("6S", "8S")


def test_X01_who_may_throw_in_passes() -> None:
    state = play(tables.table("6S 6C", "7S 8S"), (0, attack("6S")), (1, beat("6S", "7S")))
    assert safe_move(state, 0) == Move("pass")
    assert play(state, (0, throw_in("6C"))).to_act == (1,)


def test_X01_a_hand_face_out_is_played_from_its_first_slot() -> None:
    state = start(Setting(tables.ruleset("transfer.face_out"), 2, 5, 0.3))
    [seat] = state.to_act
    [pattern] = engine.legal_moves(state, seat)
    assert pattern.slots is not None
    assert safe_move(state, seat) == Move("attack", slots=pattern.slots[:1])


def test_X01_who_sheds_draws_and_then_passes() -> None:
    state = piles.table("9S 7C", "8S", pile="KD", talon="6C 8H")
    assert safe_move(state, 0) == piles.DRAW
    drawn, _ = piles.told(state, (0, piles.DRAW))
    if 0 in drawn.to_act:
        assert safe_move(drawn, 0) == piles.PASS


def test_X01_who_must_shed_keeps_what_names_a_suit() -> None:
    state = piles.table("QD TD 9D", "8S", pile="KD")
    assert {pattern.type for pattern in engine.legal_moves(state, 0)} == {"play"}
    assert safe_move(state, 0) == piles.lay("9D")


@given(settings() | shedding_settings(), st.integers(0, 2**32))
def test_X01_the_safe_move_is_legal_for_everybody_who_may_act(setting: Setting, seed: int) -> None:
    state, rng = start(setting), random.Random(seed)
    for _ in range(40):
        for seat in state.to_act:
            assert engine.decide(state, seat, safe_move(state, seat), entropy(setting))
        if not state.to_act:
            return
        seat, move = any_turn(state, rng)
        state = engine.fold(state, engine.decide(state, seat, move, entropy(setting)))


@given(settings() | shedding_settings())
def test_X01_a_game_of_safe_moves_ends(setting: Setting) -> None:
    state = start(setting)
    for _ in range(20_000):
        if not state.to_act:
            break
        seat = state.to_act[0]
        made = engine.decide(state, seat, safe_move(state, seat), entropy(setting))
        state = engine.fold(state, made)
    assert state.result is not None
