"""The whole pack is dealt out (наваленный дурак)."""

from games.rules.events import AttackerNamed, Previous, TrumpTurned
from tests.rules.deals import deal, first, stacked
from tests.rules.tables import PASS, attack, beat, play, refusal, table, throw_in

LOST_BY_0 = Previous(dealer=2, durak=0, winner=1, draw=False)


def test_B26_U05_all_cards_are_dealt_from_the_dealers_left_and_the_last_is_the_trump() -> None:
    pack = first("6S 7S 8S")
    state, events = deal(
        stacked(pack, dealer=1), seats=5, ruleset_id="throw_in.full_deal", first_dealer="lot"
    )
    assert [hand.bit_count() for hand in state.hands] == [7, 7, 8, 7, 7]
    assert state.talon == ()
    turned = next(event for event in events if isinstance(event, TrumpTurned))
    assert (turned.card, turned.suit, turned.seat) == (pack[-1], pack[-1][1], 2)
    assert state.turn_up is None


def test_B27_the_lowest_trump_attacks_first_in_later_games_too() -> None:
    pack = first("")
    _, events = deal(stacked(pack), seats=3, ruleset_id="throw_in.full_deal", previous=LOST_BY_0)
    named = events[-1]
    assert isinstance(named, AttackerNamed)
    assert (named.reason, named.card) == ("lowest_trump", "6" + pack[-1][1])


def test_B28_the_game_goes_on_as_usual_and_nobody_draws() -> None:
    state = table("6S 9D", "7S 8C 9C", ruleset_id="throw_in.full_deal")
    after = play(state, (0, attack("6S")), (1, beat("6S", "7S")))
    assert after.phase == "throw_in"
    over = play(after, (0, PASS))
    assert (over.attacker, [hand.bit_count() for hand in over.hands]) == (1, [1, 2])


def test_G3_eighteen_cards_each_are_still_attacked_with_six_at_the_most() -> None:
    state = table(
        "6S 6C 6D 6H 7D 7H 8S", "7S 7C 8C 8D 8H 9S 9C 9D", ruleset_id="throw_in.full_deal"
    )
    four = play(state, (0, attack("6S 6C 6D")))
    beaten = play(four, (1, beat("6S", "7S")), (1, beat("6C", "7C")), (1, beat("6D", "8D")))
    assert refusal(beaten, 0, throw_in("6H 7D 7H 8S")) == "attack_limit"
