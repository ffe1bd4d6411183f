"""`manage.py replay_game`: finished games, step by step, from the database and from files."""

import io
import random
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
import pytest
from django.core.management import CommandError, call_command

from bots.console.records import told_by
from bots.console.replaying import steps_of
from games.rules.cards import CARDS
from games.selectors.game_replay import game_record
from tests.exports import exported, played_out, resigned
from tests.scores import new_players
from tests.tables import head_of, open_table

pytestmark = pytest.mark.django_db
Show = Callable[..., str]


class Keyboard(io.StringIO):
    """A terminal where somebody types."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def show(monkeypatch: pytest.MonkeyPatch) -> Show:
    """Run the command with lines typed into it, or with none in a pipe; what it printed."""
    monkeypatch.setenv("LANG", "C")

    def run(game: object, *arguments: str, typed: str | None = None) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO() if typed is None else Keyboard(typed))
        output = io.StringIO()
        call_command("replay_game", str(game), *arguments, stdout=output, no_color=True)
        return output.getvalue()

    return run


def faces(text: str) -> set[str]:
    """The cards that a text names."""
    found = re.findall(r"(10|[2-9JQKA])([♠♥♦♣])", text)
    return {rank.replace("10", "T") + "SHDC"["♠♥♦♣".index(suit)] for rank, suit in found}


@pytest.mark.parametrize(("ruleset", "seats"), [("transfer", 3), ("mau_mau", 2)])
def test_a_pipe_gets_every_step(show: Show, ruleset: str, seats: int) -> None:
    game = played_out(random.Random(1), ruleset=ruleset, seats=seats)
    shown = show(game)
    steps = steps_of(told_by(str(game)).events)
    assert shown.count("— ") == len(steps)
    assert "Places: " in shown
    dealt = shown.split("— 1 of")[0]
    assert len(faces(dealt)) >= seats * 5


def test_files_tell_the_same_game(show: Show, tmp_path: Path) -> None:
    game = played_out(random.Random(2), ruleset="throw_in", seats=2)
    export, record = tmp_path / "game.json", tmp_path / "game.txt"
    export.write_bytes(msgspec.json.encode(exported(game)))
    record.write_text(game_record(head_of(game)) or "", encoding="utf-8")
    # A text does not tell when each player sat down: its versions are other numbers.
    steps = [re.sub(r"version \d+", "", show(source)) for source in (game, export, record)]
    assert steps[0] == steps[1] == steps[2]


@pytest.mark.parametrize("ruleset", ["throw_in", "transfer.face_out", "english_durak"])
def test_a_seat_sees_nothing_that_it_did_not_see(show: Show, ruleset: str) -> None:
    game = resigned(random.Random(3), ruleset=ruleset, seats=2)
    told = told_by(str(game))
    steps = steps_of(told.events)
    for seat in range(2):
        first = show(game, "--seat", str(seat)).split("— 1 of")[0]
        state = steps[0].game.state
        assert state is not None
        hidden = set(CARDS) - _known(steps[0].game, seat)
        assert not faces(first) & hidden


def _known(game: Any, seat: int) -> set[str]:
    """The cards that a seat may know after the deal: its hand, or face out the others', and what
    lies open, and the trump that named the first attacker."""
    from games.rules.cards import to_cards

    open_cards = {getattr(game.state, "turn_up", None), *getattr(game.state, "pile", ())}
    face_out = bool(getattr(game.state, "slots", ()))
    own = {
        card
        for place, hand in enumerate(game.state.hands)
        if (place == seat) is not face_out
        for card in to_cards(hand)
    }
    trumps = {card for hand in game.state.hands for card in to_cards(hand)}
    lowest = {c for c in trumps if c[1] == getattr(game.state, "trump", None)}
    return own | open_cards | lowest


def test_one_walks_as_one_likes(show: Show) -> None:
    game = played_out(random.Random(4), ruleset="throw_in", seats=2)
    last = len(steps_of(told_by(str(game)).events)) - 1
    typed = "\nn\nb\n20\nwhat\ne\nq\n"
    places = re.findall(r"— (\d+) of", show(game, typed=typed))
    assert places[:4] == ["0", "1", "2", "1"]
    assert places[-1] == str(last)
    assert "Enter or n" in show(game, typed="what\n")
    assert show(game, "--from", "99999", typed="b\n").count("— ") == 2
    assert "из" in show(game, "--lang", "ru", typed="выход\n")


def test_what_is_not_there_is_said_so(show: Show, tmp_path: Path) -> None:
    running = open_table(new_players(2))
    with pytest.raises(CommandError, match="still secret"):
        show(running)
    with pytest.raises(CommandError, match="no game"):
        show(uuid4())
    for text in (
        "{",
        "{}",
        '{"seats": [], "events": []}',
        '{"seats": 1, "events": [1]}',
        "1. 0:6S",
    ):
        file = tmp_path / "bad"
        file.write_text(text)
        with pytest.raises(CommandError, match=r"bad|of no game"):
            show(file)
    with pytest.raises(CommandError, match="2 seats"):
        show(resigned(random.Random(5), ruleset="simple", seats=2), "--seat", "2")
