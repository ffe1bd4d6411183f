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

from bots.analysis.jobs import analysis_ask, analysis_finish
from bots.analysis.report import AnalysisResult, SeatAnalysis
from bots.analysis.work import analysis_of
from bots.brains.search import weighing
from bots.console.records import told_by
from bots.console.replaying import Step, steps_of
from games.rules.cards import CARDS, to_cards
from games.rules.events import TYPE_OF
from games.rules.views import view_for
from games.selectors.game_replay import game_record
from games.services.game_rematch import game_rematch
from games.services.game_seats import game_leave, game_resign, game_return
from tests.exports import exported, played_out, resigned
from tests.scores import new_players
from tests.tables import head_of, open_table, play_one, play_out, player_at

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


# Which cards these bring is told to whoever may see them; all others lie open when they are told.
DEALING = {"cards_dealt", "hand_replenished", "cards_drawn"}


def named(value: Any) -> set[str]:
    """The cards in something plain."""
    if isinstance(value, str):
        return {value} & set(CARDS)
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return {card for part in parts for card in named(part)}


def secrets(steps: list[Step], seat: int) -> list[set[str]]:
    """The cards that the seat has never seen, step by step, as the events tell it."""
    hidden, found = set(CARDS), []
    for step in steps:
        for event in step.events:
            if TYPE_OF[type(event)] not in DEALING:
                hidden -= named(msgspec.json.decode(msgspec.json.encode(event)))
        state = step.game.state
        assert state is not None
        face_out = bool(getattr(state.rules, "face_out", False))
        for place, hand in enumerate(state.hands):
            if (place == seat) is not face_out:
                hidden -= set(to_cards(hand))
        found.append(hidden.copy())
    return found


@pytest.mark.parametrize(
    ("ruleset", "seats"),
    [("throw_in", 2), ("transfer", 3), ("transfer.face_out", 2), ("mau_mau", 2), ("pentagon", 2)],
)
def test_a_seat_sees_nothing_that_it_did_not_see(show: Show, ruleset: str, seats: int) -> None:
    game = played_out(random.Random(3), ruleset=ruleset, seats=seats)
    steps = steps_of(told_by(str(game)).events)
    opened = show(game).split("— ")[1:]
    for seat in range(seats):
        hidden = secrets(steps, seat)
        shown = show(game, "--seat", str(seat)).split("— ")[1:]
        assert len(shown) == len(steps)
        for text, secret in zip(shown[:-1], hidden, strict=False):
            assert not faces(text) & secret
        assert faces(opened[0]) & hidden[0]


@pytest.mark.parametrize("ruleset", ["throw_in", "mau_mau"])
def test_a_seat_sees_all_that_its_view_has(show: Show, ruleset: str) -> None:
    game = played_out(random.Random(6), ruleset=ruleset, seats=2)
    told = told_by(str(game))
    steps = steps_of(told.events)
    for seat in range(2):
        shown = show(game, "--seat", str(seat)).split("— ")[1:]
        for text, step in zip(shown, steps, strict=True):
            view = msgspec.to_builtins(view_for(step.game, seat, told.sitters))
            for part in ("table", "top_card", "turn_up", "you"):
                cards = view["you"]["hand"] if part == "you" else view.get(part)
                assert named(msgspec.to_builtins(cards)) <= faces(text)


def test_the_next_game_of_a_match_is_shown_by_itself(show: Show) -> None:
    people = new_players(2)
    first = open_table(people, series_length=3)
    play_out(first, random.Random(7))
    second = first
    for player in people:
        second = game_rematch(game_id=first, player_id=player.id, kind=player.kind).head.id
    play_out(second, random.Random(8))
    for game in (first, second):
        assert show(game).count("— ") == len(steps_of(told_by(str(game)).events))
    assert show(first) != show(second)


def test_who_left_came_back_or_gave_up_is_told(show: Show) -> None:
    people = new_players(3)
    game, rng = open_table(people), random.Random(9)
    leaver, quitter = player_at(game, 0), player_at(game, 1)
    play_one(game, rng)
    game_leave(game_id=game, player_id=leaver)
    game_return(game_id=game, player_id=leaver)
    game_resign(game_id=game, player_id=quitter)
    play_out(game, rng)
    shown = show(game, "--seat", "1")
    assert re.search(r"A bot plays for \S+ now\.\n", shown)
    assert re.search(r"\S+ is back\.\n", shown)
    assert "You give the game up.\n" in shown


def test_it_goes_on_by_itself_where_it_was_told_to(
    show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = played_out(random.Random(1), ruleset="throw_in", seats=2)
    waited: list[float] = []
    monkeypatch.setattr("time.sleep", waited.append)
    steps = steps_of(told_by(str(game)).events)
    version = steps[-3].game.version
    shown = show(game, "--auto", "0.5", "--from", str(version), typed="q\n")
    assert shown.count("— ") == 3
    assert waited == [0.5] * 3


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


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hardly any deals behind each move."""
    monkeypatch.setattr(weighing, "ON_BITS", (6, 3, 24))


@pytest.mark.usefixtures("hasty")
def test_an_analysis_stands_beside_the_moves(show: Show, tmp_path: Path) -> None:
    game = played_out(random.Random(2), ruleset="throw_in", seats=2)
    report = analysis_of(told_by(str(game)).events)
    weighed = [one for one in report.decisions if not one.is_forced]
    shown = show(game, "--analysis")
    assert shown.count("of games are saved by this") == len(weighed) > 5
    assert shown.count(" less than by: ") == sum(one.loss > 0 for one in weighed)
    assert shown.count("; accuracy ") == 2
    file = tmp_path / "game.json"
    file.write_bytes(msgspec.json.encode(exported(game)))
    assert show(file, "--analysis") == shown
    russian = show(file, "--analysis", "--lang", "ru", "--seat", "1")
    own = [one for one in weighed if one.seat == 1]
    assert russian.count("так спасается") == len(own)
    assert russian.count("удача") == 2


def test_a_stored_analysis_is_shown_as_it_is(show: Show) -> None:
    game = played_out(random.Random(2), ruleset="throw_in", seats=2)
    seat = SeatAnalysis(0, 1.0, 0.5, 0.25, 0.1, 0.5, 0.25, 0.0, 0.0, 9, 81.6, (), ())
    analysis_ask(game_id=game, player_id=player_at(game, 0))
    analysis_finish(game, AnalysisResult("tree", (seat,), ()))
    shown = show(game, "--analysis")
    assert "luck +25, by mistakes of others +50, by own ones -25; accuracy 82" in shown
