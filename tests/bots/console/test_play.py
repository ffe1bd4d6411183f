"""`manage.py play`: whole games in the terminal. No test here may touch a database."""

import io
import re
import sys
from collections.abc import Callable

import pytest
from django.core.management import CommandError, call_command

from games.rules.rulesets.registry import ruleset_ids

COLOUR = re.compile(r"\x1b\[\d+m")
Play = Callable[..., str]


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Play:
    """Run the command in English with lines typed into it; return what it printed."""
    for name in ("LC_ALL", "LC_MESSAGES", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C")

    def run(*arguments: str, typed: str = "", **more: object) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        output = io.StringIO()
        call_command("play", *arguments, stdout=output, **more)
        return output.getvalue()

    return run


def test_a_whole_game_against_three_bots_by_typing_numbers(play: Play) -> None:
    shown = play("throw_in", "--bots", "3", "--seed", "one", typed="1\n" * 400)
    assert "Throw-in durak · 36 cards · 4 players · seed one" in shown
    assert re.search(r"durak\.|a draw", shown)
    assert "Places:" in shown
    assert not COLOUR.search(shown)


@pytest.mark.parametrize(
    ("ruleset", "more"),
    [
        ("simple", ("--bots", "1")),
        ("transfer", ("--bots", "5", "--deck", "52")),
        ("online_transfer", ("--bots", "2", "--brain", "random")),
        ("throw_in", ("--bots", "2", "-o", "must_defend_if_able=true", "-o", "throw_in_scope=all")),
    ],
)
def test_bots_play_every_seat_when_told_so(play: Play, ruleset: str, more: tuple[str, ...]) -> None:
    assert "Places:" in play(ruleset, "--auto", "--seed", "two", *more)


def test_the_same_seed_deals_and_plays_the_same_game(play: Play) -> None:
    one, two = (play("--auto", "--bots", "2", "--seed", "three") for _ in range(2))
    assert one == two
    assert one != play("--auto", "--bots", "2", "--seed", "four")


def test_the_end_of_input_leaves_the_game_quietly(play: Play) -> None:
    shown = play("--seed", "five", typed="help\n")
    assert shown.rstrip().endswith("The game is left unfinished.")


def test_speaks_russian(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "ru_RU.UTF-8")
    shown = play("подкидной", "--bots", "2", "--seed", "six", typed="помощь\nстол\nвыход\n")
    assert "Подкидной дурак · карт: 36 · игроков: 3" in shown
    assert "правила этой игры" in shown
    assert shown.count("Твоя рука:") == 2
    assert shown.rstrip().endswith("Игра оставлена.")


def test_a_refusal_comes_with_the_rule(play: Play) -> None:
    shown = play("--seed", "five", typed="AS KS\nnonsense\nquit\n")
    assert "Not allowed: " in shown
    assert re.search(r"Rule [\w-]+: \w+", shown)
    assert "I do not understand “nonsense”" in shown


def test_a_card_that_could_do_two_things_is_asked_about(play: Play) -> None:
    cards = "".join(f"{rank}{suit}\n" for rank in "6789TJQKA" for suit in "SHDC")
    shown = play("transfer", "--seed", "6", typed=cards * 60)
    question = "That could mean several moves; type the number of one:\n"
    assert re.search(question + r" +\d+  \w+ .*\n +\d+  \w+ ", shown)


def test_the_rules_in_force_are_shown(play: Play) -> None:
    shown = play("transfer", "--seed", "five", typed="rules\nquit\n")
    assert re.search(r"B-24 +A transfer is possible only while nothing has been", shown)
    assert "B-24 " not in play("simple", "--seed", "five", typed="rules\nquit\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nope",), "No ruleset 'nope'; there are: simple, "),
        (("--brain", "nope"), "No brain 'nope'; there are: "),
        (("--bots", "0"), "players: from 2 to 6"),
        (("--bots", "-3"), "players: from 2 to 6"),
        (("--deck", "37"), "deck_size"),
        (("--option", "nope=1"), "nope: no such option"),
        (("--option", "nope"), "An option is NAME=VALUE"),
    ],
)
def test_mistakes_on_the_command_line_are_explained(
    play: Play, arguments: tuple[str, ...], said: str
) -> None:
    with pytest.raises(CommandError, match=re.escape(said)):
        play(*arguments)


def test_colours_are_for_terminals_unless_forced(play: Play) -> None:
    assert COLOUR.search(play("--auto", "--seed", "five", force_color=True))
    assert not COLOUR.search(play("--auto", "--seed", "five"))


@pytest.mark.parametrize("ruleset", ruleset_ids())
def test_every_ruleset_is_told_to_its_end(play: Play, ruleset: str) -> None:
    bots = "3" if ruleset == "partners" else "2"
    assert "Places:" in play(ruleset, "--bots", bots, "--auto", "--seed", "3")


def test_a_whole_shedding_game_by_typing_numbers(play: Play) -> None:
    shown = play("mau_mau", "--bots", "2", "--seed", "one", typed="1\n" * 400)
    assert "Mau-mau · 36 cards · 3 players · seed one" in shown
    assert "Points: " in shown
    assert re.search(r"(plays|You play) ", shown)
    assert re.search(r"Table: +\S+", shown)


def test_a_named_suit_and_a_penalty_lie_on_the_table(play: Play) -> None:
    named = play("mau_mau", "--bots", "3", "--seed", "3", typed="1\n" * 60)
    assert re.search(r"Table: +\S+ +\S is named", named)
    agreed = ("-o", "stacking=same_rank")
    stacked = play("mau_mau", "--bots", "3", "--seed", "12", *agreed, typed="1\n" * 40)
    assert re.search(r"\+\d to take or to pass on", stacked)


def test_hands_face_out_are_played_by_slot(play: Play) -> None:
    shown = play("throw_in.face_out", "--bots", "1", "--seed", "x", typed="1\n" * 900)
    assert "Your hand: #0 #1 #2 #3 #4 #5" in shown
    assert re.search(r"\n +1  (attack with|beat \S+ with) #0\n", shown)
    assert re.search(r"You draw: ▮+\n", shown)
    assert re.search(r"greedy-1  \S*\d+[♠♥♦♣]|greedy-1  [6-9JQKA]", shown)
    assert "Places:" in shown
