"""Everything the console may have to say, it can."""

import msgspec
import pytest

from bots.console.screen import Screen
from bots.console.story import told
from bots.console.words import Words, _phrases
from games.rules.events import CARD_EVENTS, TABLE_EVENTS, GameFinished, GameStarted

# Told by the screen or by the events around them.
SILENT = {"game_started", "cards_dealt", "game_finished"}
# What happens before the deal is not told.
BEFORE = {"game_created", "player_joined", "player_left", "client_seed_set"}


@pytest.mark.parametrize("name", sorted(set(CARD_EVENTS) - SILENT))
def test_every_event_of_the_cards_has_a_phrase(name: str) -> None:
    assert Words("en").knows(f"events.{name}")


@pytest.mark.parametrize("name", sorted(set(TABLE_EVENTS) - BEFORE))
def test_every_change_of_who_plays_has_a_phrase(name: str) -> None:
    assert Words("ru").knows(f"events.{name}")


@pytest.mark.parametrize("event", [GameStarted, GameFinished])
def test_some_events_are_silent(event: type[msgspec.Struct]) -> None:
    screen = Screen(Words("en"), ("you", "greedy-1"), colours=False)
    name = {GameStarted: "game_started", GameFinished: "game_finished"}[event]
    assert told(screen, {"type": name, "seat": None, "data": {}}, 0) is None


def test_phrases_have_the_same_fields_in_both_languages() -> None:
    for table in _phrases().values():
        for name, phrase in table.items():
            assert isinstance(phrase.en, str) == isinstance(phrase.ru, str), name


def test_cards_of_others_are_counted_not_shown() -> None:
    screen = Screen(Words("ru"), ("ты", "greedy-1"), colours=False)
    drawn = {"type": "hand_replenished", "seat": 1, "data": {"cards": ["??", "9H"]}}
    assert told(screen, drawn, 0) == "greedy-1 добирает карт: 2."
    mine = {"type": "hand_replenished", "seat": 0, "data": {"cards": ["TH", "9H"]}}
    assert told(screen, mine, 0) == "Ты добираешь: 10♥ 9♥"


def test_a_draw_has_no_durak() -> None:
    screen = Screen(Words("en"), ("you", "greedy-1"), colours=False)
    lines = list(screen.result({"durak": None, "places": [[0, 1]]}, 0))
    assert lines == ["", "No durak: a draw.", "Places: you = greedy-1"]
