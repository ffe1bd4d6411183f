"""Game records: a game as text and back, and what the engine says of it."""

import doctest
import random
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from games.rules import engine, position_line, position_line_shedding
from games.rules.errors import InvalidRecord
from games.rules.events import (
    BoutOpened,
    BoutTaken,
    BoutTransferred,
    CardBeaten,
    CardsDealt,
    CardsRedealt,
    CardsThrownIn,
    Event,
    GameFinished,
    HandReplenished,
    Next,
    PlayerJoined,
    SeatReplaced,
    SeatResigned,
    SeatReturned,
    TrumpTurned,
)
from games.rules.record import (
    Lines,
    Record,
    check_record,
    read_record,
    reading,
    record_of,
    write_record,
)
from games.rules.rulesets.registry import ruleset, ruleset_ids
from games.rules.scoring import resigned_result
from games.rules.shorthand import write_turn
from tests.rules.deals import first, stacked
from tests.rules.games import Played, played, preset_game, themes

GAME = """\
[Ruleset "transfer"]
[Options {"deck_size": 24}]
[Players ["ann", "bob"]]
[Dealer 1]
[Hands "9CJSAS9STCTS/JH9HTDKHJCAC"]
[Talon "9DQDAHKCADQSKDJDQHKSQCTH"]
[Trump "TH"]
[Attacker 1]
[Because "lowest_trump"]
[Result {"durak": 0, "draw": false, "winner": 1, "places": [[1], [0]], "reason": "played_out"}]

1. 1:AC 0:>AS 1:AC<KH 1:AS<JH 0:+JS 1:JS<9H 0:pass
2. 1:TD 0:>TC 1:TC<AH 1:TD<AD 0:pass
3. 1:QH 0:>QD 1:>QS 0:QD<KD 0:take 1:+KS 1:pass
4. 1:QC 0:QC<QH 1:pass
5. 0:QSQD 1:QD<TH 1:take 0:pass
6. 0:TS 1:>TH 0:TS<KS 0:take 1:+KC 1:pass
7. 1:JC 0:JC<KC 1:+JD 0:JD<TH 1:pass
8. 0:KSKD 1:take
9. 0:TS 1:TS<QS 0:pass
10. 1:QD 0:take 1:pass
11. 1:KS 0:take 1:pass
12. 1:KD 0:take
"""


PAGE = Path(__file__).parents[2] / "docs" / "notation.md"


def without_slots(events: Sequence[Event]) -> list[Event]:
    """The events as a record knows them: cards by face alone."""
    return [_without_slots(event) for event in events]


def _without_slots(event: Event) -> Event:
    if isinstance(event, CardsDealt):
        return replace(event, slots=())
    if isinstance(event, BoutTaken | HandReplenished):
        return replace(event, slots=None)
    if isinstance(event, BoutOpened | CardBeaten | CardsThrownIn | BoutTransferred):
        return replace(event, from_slots=())
    return event


def bare(record: Record) -> Record:
    """A record that does not know from which lines it was read."""
    return replace(record, lines=Lines())


def assert_goes_round(game: Played, **more: Any) -> Record:
    """The game, its record and the text say the same, and the engine agrees."""
    record = record_of(game.rules, game.events, **more)
    text = write_record(record)
    again = read_record(text)
    assert bare(again) == record
    assert write_record(again) == text
    assert without_slots(check_record(again)) == without_slots(game.events)
    return record


def refused(text: str) -> tuple[int, str, str]:
    """Line, token and reason for which a record is refused."""
    with pytest.raises(InvalidRecord) as raised:
        check_record(read_record(text))
    assert raised.value.token in str(raised.value)
    return raised.value.line, raised.value.token, raised.value.reason


@pytest.mark.parametrize("ruleset_id", ruleset_ids())
def test_a_game_of_every_ruleset_goes_round(ruleset_id: str) -> None:
    assert_goes_round(preset_game(ruleset_id, random.Random(ruleset_id[::-1]).randint(2, 6)))


PREVIOUS = st.builds(
    engine.Previous,
    dealer=st.integers(0, 1),
    durak=st.none() | st.integers(0, 1),
    winner=st.none() | st.integers(0, 1),
    draw=st.booleans(),
)


@given(
    theme=st.sampled_from(list(themes())),
    seed=st.text(st.characters(codec="ascii"), max_size=5),
    names=st.lists(st.text(), min_size=6, max_size=6),
    previous=st.none() | PREVIOUS,
)
def test_a_game_under_every_option_goes_round(
    theme: tuple[str, dict[str, Any], int],
    seed: str,
    names: list[str],
    previous: engine.Previous | None,
) -> None:
    name, options, seats = theme
    game = played(ruleset(name, options, seats), seats, seed, previous)
    assert_goes_round(game, players=names[:seats], game_number=1 + (previous is not None))


@pytest.mark.parametrize("rule", ["previous_winner", "attack_the_fool", "from_under_fool"])
@pytest.mark.parametrize("next_dealer", ["loser", "rotate"])
def test_who_leads_after_another_game_is_checked_too(rule: str, next_dealer: str) -> None:
    options = {"next_first_attacker": rule, "next_dealer": next_dealer}
    previous = engine.Previous(dealer=3, durak=2, winner=1, draw=False)
    game = played(ruleset("throw_in", options, 4), 4, rule, previous)
    record = assert_goes_round(game, game_number=2)
    assert record.because == rule
    text = write_record(record)
    assert refused(text.replace("[Game 2]\n", ""))[1] in ("Attacker", "Because")


def test_the_example_is_read_checked_and_written_as_it_stands() -> None:
    record = read_record(GAME)
    assert write_record(record) == GAME
    events = check_record(record)
    assert bare(record) == record_of(
        ruleset("transfer", {"deck_size": 24}), events, players=["ann", "bob"]
    )
    assert isinstance(events[-1], GameFinished)


def test_a_game_that_is_not_over_has_no_result() -> None:
    game = played(ruleset("throw_in"), 2, "begun")
    begun = [event for event in game.events if not isinstance(event, GameFinished)][:30]
    while begun[-1].next is None:
        begun.pop()
    record = record_of(game.rules, begun)
    assert record.result is None
    assert list(check_record(read_record(write_record(record)))) == begun


def test_before_the_deal_there_is_nothing_to_record() -> None:
    with pytest.raises(ValueError, match="dealt"):
        record_of(ruleset("throw_in"), ())


def test_a_deal_that_was_void_is_recorded_with_its_reason() -> None:
    suited = first("6S 6H 7S 7H 8S 8H 9S 9H TS TH JS JH")
    entropy = stacked(suited, first("6S 7H 8D 9C"), dealer=1)
    rules = ruleset("throw_in", {"redeal_on_bad_hand": "five_of_suit"}, 2)
    events = engine.start(rules.rules, 2, entropy)
    record = record_of(rules, events)
    assert [deal.void for deal in record.deals] == ["five_of_suit", None]
    text = write_record(record)
    assert check_record(read_record(text)) == events
    assert refused(text.replace('[Redealt "five_of_suit"]\n', ""))[1:] == (
        "Hands",
        "the deal before has no Redealt",
    )
    second = text.index("[Hands", text.index("[Redealt"))
    only_void = text[:second] + text[text.index("[Attacker") :]
    assert refused(only_void)[1] == "Redealt"
    unmarked = only_void.replace('[Redealt "five_of_suit"]\n', "")
    assert "this deal is void" in refused(unmarked)[2]


def test_what_was_turned_up_before_the_trump_is_recorded() -> None:
    rules = ruleset("throw_in.japanese_drawn_diamond", players=2)
    for number in range(20):
        game = played(rules, 2, f"drawn {number}")
        turned = next(event for event in game.events if isinstance(event, TrumpTurned))
        record = assert_goes_round(game)
        assert record.deals[-1].drawn == turned.drawn
        if turned.drawn:
            return
    pytest.fail("a diamond lay on top twenty times in a row")


def test_resigning_ends_a_game_of_two() -> None:
    game = played(ruleset("throw_in"), 2, "resigned")
    begun = game.events[: next(i for i, event in enumerate(game.events) if i > 20 and event.next)]
    while begun[-1].next is None:
        begun = begun[:-1]
    end = GameFinished(result=resigned_result(1), next=Next("finished"))
    record = record_of(game.rules, (*begun, SeatResigned(seat=1), end))
    text = write_record(record)
    assert text.endswith(" 1:resign\n")
    assert check_record(read_record(text)) == (*begun, end)
    line, token, reason = refused(text + "   0:pass\n")
    assert (line, token, reason) == (text.count("\n") + 1, "0:pass", "game.over")


def test_who_is_at_the_table_is_recorded_without_a_word_to_the_cards() -> None:
    game = played(ruleset("throw_in"), 3, "left")
    places = [i + 1 for i, event in enumerate(game.events) if event.next is not None]
    log = list(game.events)
    log[places[6] : places[6]] = [
        SeatResigned(seat=0),
        SeatReplaced(seat=0, brain="greedy", reason="resigned"),
    ]
    log[places[4] : places[4]] = [SeatReturned(seat=2)]
    log[places[2] : places[2]] = [SeatReplaced(seat=2, brain="greedy", reason="left")]
    log.insert(0, PlayerJoined(seat=0, player="x", kind="human"))
    record = record_of(game.rules, log)
    told = [write_turn(turn.seat, turn.move) for turn in record.turns]
    assert [token for token in told if token.split(":")[1] in ("resign", "bot", "back")] == [
        *("2:bot", "2:back", "0:resign", "0:bot"),
    ]
    assert check_record(read_record(write_record(record))) == game.events


def test_wrong_plays_are_marked() -> None:
    game = preset_game("throw_in.face_out", 3)
    text = write_record(record_of(game.rules, game.events))
    assert "!" in text
    line, token, reason = refused(text.replace("!", "", 1))
    assert text.split("\n")[line - 1].split().count(token + "!") == 1
    assert reason == "by the rules this is wrong"
    options = {"enforcement": "catchable"}
    game = played(ruleset("transfer", options, 4), 4, "caught")
    text = write_record(record_of(game.rules, game.events))
    assert "call=" in text
    assert "!" in text


def test_right_plays_are_not() -> None:
    wrong = GAME.replace("1:AC<KH", "1:AC<KH!")
    assert refused(wrong) == (12, "1:AC<KH!", "by the rules this is right")


@pytest.mark.parametrize(
    ("before", "after", "where"),
    [
        ("1. 1:AC", "1. 0:AS", (12, "0:AS", "move.not_your_turn")),
        ("1:AC<KH", "1:AC<KD", (12, "1:AC<KD", "move.card_not_in_hand")),
        ("1:AC<KH", "1:AC<TD", (12, "1:AC<TD", "move.cannot_beat")),
        ("0:>AS", "0:>(AS)", (12, "0:>(AS)", "move.show_disabled")),
        ("0:>AS", "0:exchange", (12, "0:exchange", "move.exchange_disabled")),
        ("0:>AS", "0:call=AS", (12, "0:call=AS", "move.call_disabled")),
        ("0:>AS", "2:pass", (12, "2:pass", "there are 2 players")),
        ("3. 1:QH", "1:QH", (14, "1:QH", "this is bout 3")),
        ("3. 1:QH", "4. 1:QH", (14, "1:QH", "this is bout 3")),
        ("\n12. 1:KD 0:take", "", (10, "Result", "the game is not over")),
        ("0:KSKD 1:take", "0:KSKD 1:bot 1:take", None),
        ("12. 1:KD 0:take", "12. 1:KD 0:take 1:back", (23, "1:back", "game.over")),
        ("0:KSKD 1:take", "0:KSKD 1:bot 1:back 1:bot 1:take", None),
        (
            "0:KSKD 1:take",
            "0:KSKD 1:bot 1:bot 1:take",
            (19, "1:bot", "a bot plays this seat already"),
        ),
        (
            "0:KSKD 1:take",
            "0:KSKD 1:back 1:take",
            (19, "1:back", "nobody can come back to this seat"),
        ),
    ],
)
def test_the_first_move_that_is_not_allowed_is_named(
    before: str, after: str, where: tuple[int, str, str] | None
) -> None:
    changed = GAME.replace(before, after, 1)
    assert changed != GAME
    if where is None:
        assert check_record(read_record(changed))
    else:
        assert refused(changed) == where


@pytest.mark.parametrize(
    ("before", "after", "token"),
    [
        ('"transfer"', '"transferred"', "Ruleset"),
        ('"deck_size": 24', '"deck_size": 25', "Options"),
        ('"deck_size": 24', '"deck": 24', "Options"),
        ('"deck_size": 24', '"deck_size": 36', "Hands"),
        ('["ann", "bob"]', "[]", "Players"),
        ('["ann", "bob"]', '["ann", "bob", "cid"]', "Hands"),
        ('["ann", "bob"]', '["a", "b", "c", "d", "e", "f", "g"]', "Players"),
        ("[Dealer 1]", "[Dealer 2]", "Dealer"),
        ("[Dealer 1]", "[Dealer -1]", "Dealer"),
        ("[Attacker 1]", "[Attacker 0]", "Attacker"),
        ("[Attacker 1]", "[Attacker 6]", "Attacker"),
        ('"lowest_trump"', '"random"', "Because"),
        ("9CJS", "9C9C", "Hands"),
        ("9CJSAS", "9CJS", "Hands"),
        ("9DQDAH", "QDAH", "Hands"),
        ('[Trump "TH"]', '[Trump "QC"]', "Talon"),
        ('[Trump "TH"]', '[Trump "H"]', "Trump"),
        ('[Trump "TH"]', '[Trump "TH"]\n[Drawn "9D"]', "Drawn"),
        ('[Trump "TH"]', '[Trump "TH"]\n[Drawn "6S"]', "Drawn"),
        ('[Trump "TH"]', '[Trump "TH"]\n[Drawn "9D9D"]', "Drawn"),
        ('[Trump "TH"]', '[Trump "TH"]\n[Redealt "no_trump"]', "Redealt"),
        ('"durak": 0', '"durak": 1', "Result"),
        ('"played_out"', '"resigned"', "Result"),
    ],
)
def test_a_tag_that_the_rules_contradict_is_named(before: str, after: str, token: str) -> None:
    line, found, reason = refused(GAME.replace(before, after, 1))
    assert found == token
    assert GAME.replace(before, after, 1).split("\n")[line - 1].startswith(f"[{token} ")
    assert reason


@pytest.mark.parametrize(
    ("before", "after", "where"),
    [
        ("[Dealer 1]", "[Dealer 1", (4, "[Dealer 1")),
        ("[Dealer 1]", "[Giver 1]", (4, "Giver")),
        ("[Dealer 1]", "[Dealer 1]\n[Dealer 1]", (5, "Dealer")),
        ("[Dealer 1]", "[Dealer one]", (4, "Dealer")),
        ("[Dealer 1]", '[Dealer "1"]', (4, "Dealer")),
        ("[Dealer 1]\n", "", (0, "Dealer")),
        ("[Dealer 1]", "[Dealer 1]\n[Game 0]", (5, "Game")),
        ("9CJS", "9C?S", (5, "Hands")),
        ("TS/JH", "TS//JH", (5, "Hands")),
        ('[Talon "9D', '[Talon "9', (6, "Talon")),
        ('[Talon "9DQDAHKCADQSKDJDQHKSQCTH"]\n', "", (0, "Talon")),
        ('[Trump "TH"]\n', "", (0, "Trump")),
        ('[Trump "TH"]', '[Trump "SH"]', (7, "Trump")),
        ('[Trump "TH"]', '[Trump "THTS"]', (7, "Trump")),
        ('["ann", "bob"]', "ann, bob", (3, "Players")),
        ('{"deck_size": 24}', "[" * 5000, (2, "Options")),
        ('"draw": false, ', "", (10, "Result")),
        ("1. 1:AC", "1:AC", (12, "1:AC")),
        ("1. 1:AC", "1. AC", (12, "AC")),
        ("0:>AS", "0:>", (12, "0:>")),
        ("0:pass\n2.", "0:passes\n2.", (12, "0:passes")),
        ("1:AS<JH", "1:AS<JH9H", (12, "1:AS<JH9H")),
        ("1:AS<JH", "1:ASJH<9H", (12, "1:ASJH<9H")),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line(
    before: str, after: str, where: tuple[int, str]
) -> None:
    changed = GAME.replace(before, after, 1)
    assert changed != GAME
    assert refused(changed)[:2] == where


@given(st.data())
def test_any_change_is_read_or_refused(data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(GAME) - 1))
    piece = data.draw(st.text('0123456789.:<>+!()[]{}",= SHDCTJQKAtakepass\n', max_size=4))
    gone = data.draw(st.integers(0, 8))
    changed = GAME[:place] + piece + GAME[place + gone :]
    with suppress(InvalidRecord):
        record = read_record(changed)
        assert bare(read_record(write_record(record))) == bare(record)
        check_record(record)


def test_comments_blank_lines_and_layout_do_not_matter() -> None:
    loose = "; a game\n\n" + GAME.replace(" ", "  ").replace("\n", "\r\n").replace("AC<KH", "ac<kh")
    assert bare(read_record(loose)) == bare(read_record(GAME))


def test_long_bouts_are_wrapped() -> None:
    game = preset_game("throw_in.full_deal", 6)
    text = write_record(record_of(game.rules, game.events))
    moves = text.split("\n\n")[1].split("\n")
    assert max(len(line) for line in moves) <= 88
    assert any(line.startswith("   ") for line in moves)


def test_a_redeal_that_the_rules_do_not_ask_for_is_refused() -> None:
    game = played(ruleset("throw_in"), 2, "redealt")
    text = write_record(record_of(game.rules, game.events))
    hands = text[text.index("[Hands") : text.index("[Attacker")]
    twice = text.replace(hands, hands + '[Redealt "five_of_suit"]\n' + hands)
    assert refused(twice)[1] == "Redealt"
    assert not any(isinstance(event, CardsRedealt) for event in game.events)


def test_the_page_about_notation_tells_the_truth() -> None:
    (text,) = re.findall(
        r"^```record\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, globs={"text": text})
    assert tried >= 10
    assert not failed


def test_the_page_shows_a_record_of_a_shedding_game_as_it_is_written() -> None:
    (text,) = re.findall(
        r"^```shedding\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    record = read_record(text)
    assert write_record(record) == text
    assert isinstance(check_record(record)[-1], GameFinished)


def shedding_record(**more: Any) -> str:
    """The record of a game in which a shuffled pile was drawn from."""
    options = {"deal": 7, "recycle": "shuffle", **more}
    games = (played(ruleset("mau_mau", options, 4), 4, f"shuffled {n}") for n in range(50))
    records = (record_of(game.rules, game.events) for game in games)
    return write_record(next(record for record in records if len(record.recycled) == 1))


def test_a_shuffled_pile_is_recorded_and_nothing_else_may_be_said_of_it() -> None:
    text = shedding_record()
    assert check_record(read_record(text))
    (talon,) = re.findall(r'^\[Recycled \["(\w+)"\]\]$', text, re.MULTILINE)
    assert refused(text.replace(f'"{talon}"', f'"{talon[2:]}"'))[1] == "Recycled"
    assert refused(text.replace(f'"{talon}"', f'"{talon}", "6S"'))[1] == "Recycled"
    assert refused(text.replace(f'[Recycled ["{talon}"]]\n', ""))[1] == "Recycled"


@pytest.mark.parametrize(
    ("old", "new", "token"),
    [
        ("[First ", "[Attacker 9]\n; ", "First"),
        ("[First ", "; ", "First"),
        ("\n1. ", "\n2. ", None),
        ("\n1. ", "\n1. 0:6S<7S ", "0:6S<7S"),
        ("\n1. ", "\n1. 0:QS=X ", "0:QS=X"),
        ("[Dealer ", "[Dealer 9]\n; ", "Dealer"),
    ],
)
def test_a_record_of_a_shedding_game_that_is_wrong_is_refused(
    old: str, new: str, token: str | None
) -> None:
    text = write_record(record_of(*played(ruleset("mau_mau"), 2, "wrong")[::2]))
    found = refused(text.replace(old, new, 1))
    assert token is None or found[1] == token


def test_moves_of_a_shedding_game_stand_in_tens() -> None:
    game = played(ruleset("pentagon"), 3, "tens")
    record = record_of(game.rules, game.events)
    assert [turn.bout for turn in record.turns[:21]] == [1] * 10 + [11] * 10 + [21]
    assert [write_turn(turn.seat, turn.move) for turn in record.turns if turn.move.suit]


def test_the_page_names_every_tag_and_every_note() -> None:
    page = PAGE.read_text("utf-8")
    rows = set(re.findall(r"`(\w+)`", "\n".join(re.findall(r"^\| (`.*?) \|", page, re.MULTILINE))))
    notes = set(position_line.NOTES) | set(position_line_shedding.NOTES)
    assert set(reading.TAGS) | notes <= rows


@pytest.mark.parametrize("tag", ["Trump", "Talon", "Drawn", "Redealt"])
def test_what_tells_of_a_deal_follows_its_hands(tag: str) -> None:
    with pytest.raises(InvalidRecord, match=f"line 1, {tag}: Hands come first"):
        read_record(f'[{tag} "6S"]\n[Hands "6S/6H"]')


def test_a_record_without_options_has_none() -> None:
    game = preset_game("simple", 2)
    text = write_record(record_of(game.rules, game.events))
    kept = "\n".join(line for line in text.split("\n") if not line.startswith("[Options"))
    assert read_record(kept).options == {}
