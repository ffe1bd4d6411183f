"""What is shown to whom: views, events and what follows them."""

from typing import Any

import msgspec
import pytest

from games.rules import game as games
from games.rules.cards import to_cards
from games.rules.events import (
    EVENTS,
    TYPE_OF,
    AttackerNamed,
    BoutDiscarded,
    BoutTaken,
    CardsDealt,
    Event,
    GameStarted,
    HandReplenished,
    Next,
    PlayerJoined,
    Result,
    SeatResigned,
    SeatWentOut,
    Slots,
    TrumpTurned,
)
from games.rules.game import Game
from games.rules.rulesets.registry import ruleset
from games.rules.views import Sitter, next_for, redact, reveal, view_for
from tests.rules.playing import Setting, compatible, log, opening

SETTING = Setting(compatible("throw_in", {}), 3, 11, 0.3)
SITTERS = (Sitter("ann", "human"), Sitter("bob", "human"), Sitter("greedy", "bot"))
DEALT = CardsDealt(hands=(("6S", "7S"), ("8S", "9S"), ("TS", "JS")), talon=("KD", "7H"))
WAITING = (
    *opening(SETTING),
    GameStarted(dealer=2),
    DEALT,
    TrumpTurned(card="7H", suit="H"),
    AttackerNamed(seat=0, reason="dealer_left", next=Next("attack", (0,), 0, 1)),
)


# A value for every field that an event may have.
SAMPLES = {
    **dict.fromkeys(("seat", "seats", "dealer", "defender", "limit", "place", "game_number"), 1),
    "offender": 1,
    **dict.fromkeys(("ruleset", "ruleset_sha256", "creator", "visibility", "match"), "text"),
    **dict.fromkeys(("commitment", "chain_commitment", "player", "kind", "brain"), "text"),
    **dict.fromkeys(("client_seed", "reason", "by", "move"), "text"),
    **dict.fromkeys(("rated", "auto_start"), True),
    "options": {"dial": 1},
    "rules": {"dial": 1},
    **dict.fromkeys(("card", "target", "open_card", "returned"), "6S"),
    "cards": ["6S"],
    "drawn": ["6S"],
    "from_slots": [3],
    "slots": {"base": 4, "cards": ["6S", "7S"]},
    "suit": "S",
    "penalty": True,
    "pending": {"draw": 1, "skip": 1},
    "result": msgspec.to_builtins(Result(1, False, 0, ((0,), (1,)), "played_out")),
    "next": {"phase": "attack"},
    **dict.fromkeys(("series_length", "match_target"), 3),
    "previous": {"dealer": 1, "durak": 0, "winner": 1, "draw": False},
    "reserved": ["text", None],
    **dict.fromkeys(("reserved_until", "down_from", "down_until"), "2026-11-30T12:10:00Z"),
    **dict.fromkeys(("turn_seconds", "bank_seconds", "missed", "spectator_delay"), 5),
    "on_timeout": "bot",
}


# That a play is wrong the table must find out by itself.
SECRET = {("card_beaten", "wrong"): True, ("cards_thrown_in", "wrong"): ["6S"]}
# What only the owner of a hand that is held face out is told.
OWN = {
    *((name, "from_slots") for name in ("bout_opened", "card_beaten", "cards_thrown_in")),
    *(("bout_transferred", "from_slots"), ("bout_taken", "slots"), ("hand_replenished", "slots")),
}


def game_of(*events: Event) -> Game:
    return games.fold(None, (*WAITING, *events))


def seen(game: Game, viewer: int | None) -> Any:
    return msgspec.json.decode(msgspec.json.encode(view_for(game, viewer, SITTERS)))


@pytest.mark.parametrize("viewer", [0, 1, 2])
def test_W01_a_seat_sees_its_own_hand(viewer: int) -> None:
    you = seen(game_of(), viewer)["you"]
    assert (you["seat"], you["hand"]) == (viewer, list(DEALT.hands[viewer]))
    assert bool(you["legal_moves"]) == (viewer == 0)


def test_W01_others_are_counted_the_open_card_shown_and_the_talon_counted() -> None:
    view = seen(game_of(), 1)
    assert [seat["hand_count"] for seat in view["seats"]] == [2, 2, 2]
    assert (view["talon_count"], view["turn_up"], view["trump"]) == (2, "7H", "H")
    assert "KD" not in str(view)
    assert "TS" not in str(view)


def test_who_only_watches_sees_no_hand() -> None:
    view = seen(game_of(), None)
    assert view["you"] is None
    assert not {"6S", "8S", "TS", "KD"} & set(str(view).split("'"))


def test_a_view_has_the_fields_of_the_contract() -> None:
    view = seen(game_of(), 0)
    assert view.keys() >= {
        *("version", "status", "ruleset", "options", "ruleset_sha256", "match", "rated"),
        *("visibility", "you", "seats", "phase", "to_act", "deadline", "dealer", "trump"),
        *("turn_up", "talon_count", "discard_count", "table", "attacker", "defender"),
        *("fairness", "result", "clock"),
    }
    assert view["seats"][2].items() >= {
        *{"seat": 2, "player": "greedy", "kind": "bot", "hand_count": 2}.items(),
        *{"status": "playing", "place": None}.items(),
    }
    assert (view["version"], view["status"], view["result"]) == (len(WAITING), "running", None)
    endless = dict.fromkeys(("series_length", "match_target"))
    assert view["match"] == {"id": "match", "game_number": 1} | endless
    assert view["fairness"] == {"commitment": "ab" * 32}


def test_a_view_never_holds_seeds_or_the_talon() -> None:
    fields = {"client_seed", "server_seed", "talon", "discard", "seen", "state", "chairs"}
    for _, game in log(SETTING):
        for viewer in (None, 0, 1, 2):
            assert not fields & seen(game, viewer).keys()


@pytest.mark.parametrize("viewer", [None, 0])
def test_before_the_deal_there_is_nothing_to_show(viewer: int | None) -> None:
    view = seen(games.fold(None, opening(SETTING)), viewer)
    assert (view["status"], view["phase"], view["trump"]) == ("open", None, None)
    assert (view["to_act"], view["table"]) == ([], [])
    assert [seat["status"] for seat in view["seats"]] == ["seated"] * 3
    assert viewer is None or view["you"] == {"seat": 0, "hand": [], "legal_moves": []}


def test_between_start_and_deal_hands_are_empty() -> None:
    view = seen(games.fold(None, (*opening(SETTING), GameStarted(dealer=1))), 0)
    assert (view["status"], view["dealer"], view["you"]["hand"]) == ("running", 1, [])


def test_a_free_seat_is_open() -> None:
    created, first, *_ = opening(SETTING)
    view = view_for(games.fold(None, (created, first)), None, (SITTERS[0], None, None))
    assert [seat["status"] for seat in view["seats"]] == ["seated", "open", "open"]
    assert [seat["player"] for seat in view["seats"]] == ["ann", None, None]


def test_who_went_out_or_resigned_is_marked() -> None:
    game = game_of(SeatWentOut(seat=2, place=1), SeatResigned(seat=1))
    assert [seat["status"] for seat in seen(game, 0)["seats"]] == ["playing", "resigned", "out"]
    assert [seat["place"] for seat in seen(game, 0)["seats"]] == [None, None, 1]


def test_at_the_end_everybody_has_a_place_and_the_result_is_shown() -> None:
    *_, (_, game) = log(SETTING)
    view = seen(game, 0)
    assert game.result is not None
    assert view["status"] == "finished"
    assert msgspec.convert(view["result"], Result) == game.result
    places = {seat["seat"]: seat["place"] for seat in view["seats"]}
    assert places == {
        seat: place for place, group in enumerate(game.result.places, 1) for seat in group
    }
    assert view["you"]["legal_moves"] == []
    assert view["to_act"] == []


def test_W04_the_discard_pile_is_a_number() -> None:
    before = game_of()
    after = games.evolve(before, BoutDiscarded(cards=("6D", "8D")))
    assert seen(after, 0)["discard_count"] == 2
    assert "6D" not in str(seen(after, 0))


def test_dealt_cards_are_shown_to_their_holder_alone() -> None:
    hidden = ["??", "??"]
    assert redact(DEALT, 1) == {
        "type": "cards_dealt",
        "seat": None,
        "data": {"hands": [hidden, ["8S", "9S"], hidden], "talon_count": 2},
    }
    assert redact(DEALT, None)["data"]["hands"] == [hidden] * 3


DRAWN = HandReplenished(seat=1, cards=("KD", "7H"), open_card="7H")


@pytest.mark.parametrize("viewer", [None, 0, 2])
def test_W02_others_see_how_many_were_drawn_and_the_open_card(viewer: int | None) -> None:
    assert redact(DRAWN, viewer) == {
        "type": "hand_replenished",
        "seat": 1,
        "data": {"cards": ["??", "7H"], "open_card": "7H"},
    }
    plain = HandReplenished(seat=1, cards=("KD",))
    assert redact(plain, viewer)["data"] == {"cards": ["??"]}


def test_W02_who_draws_sees_his_cards() -> None:
    assert redact(DRAWN, 1)["data"]["cards"] in (["KD", "7H"], ("KD", "7H"))


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_W03_cards_taken_from_the_table_are_told_to_everybody(viewer: int | None) -> None:
    told = redact(BoutTaken(seat=1, cards=("6S", "7S")), viewer)
    assert list(told["data"]["cards"]) == ["6S", "7S"]


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_U02_the_lowest_trump_is_told_to_everybody(viewer: int | None) -> None:
    named = AttackerNamed(seat=0, reason="lowest_trump", card="6H")
    assert redact(named, viewer)["data"] == {"reason": "lowest_trump", "card": "6H"}


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_U04_the_trump_that_stays_in_a_hand_is_told_with_its_holder(viewer: int | None) -> None:
    told = redact(TrumpTurned(card="AC", suit="C", seat=2), viewer)
    assert told == {"type": "trump_turned", "seat": 2, "data": {"card": "AC", "suit": "C"}}


def test_what_follows_is_never_part_of_the_facts() -> None:
    named = AttackerNamed(seat=0, reason="random", next=Next("attack", (0,), 0, 1))
    assert "next" not in redact(named, 0)["data"]
    assert "next" not in reveal(named)["data"]


def test_what_follows_holds_ones_own_legal_moves() -> None:
    state = game_of().state
    follows = Next("attack", (0,), 0, 1)
    for viewer in (None, 0, 1):
        told = next_for(state, follows, viewer)
        assert bool(told["legal_moves"]) == (viewer == 0)
        assert (told["phase"], told["to_act"], told["deadline"]) == ("attack", (0,), None)
    assert next_for(state, Next("finished"), 0)["legal_moves"] == ()


def test_revealed_events_hide_nothing() -> None:
    assert "KD" in reveal(DRAWN)["data"]["cards"]
    assert [list(hand) for hand in reveal(DEALT)["data"]["hands"]] == [
        list(hand) for hand in DEALT.hands
    ]


def test_an_event_that_nobody_allowed_is_shown_to_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    class Whispered(Event, frozen=True):
        card: str

    monkeypatch.setitem(TYPE_OF, Whispered, "whispered")
    monkeypatch.setitem(EVENTS, "whispered", Whispered)
    with pytest.raises(LookupError, match="whispered"):
        redact(Whispered(card="6S"), 0)


def test_a_fact_that_nobody_allowed_is_shown_to_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    class Marked(BoutTaken, frozen=True):
        marks: tuple[str, ...] = ()

    monkeypatch.setitem(TYPE_OF, Marked, "bout_taken")
    told = redact(Marked(seat=1, cards=("6S",), marks=("KD",)), 0)
    assert told == redact(BoutTaken(seat=1, cards=("6S",)), 0)


@pytest.mark.parametrize("name", sorted(set(EVENTS) - {"cards_dealt"}))
def test_every_declared_fact_is_allowed_or_hidden_on_purpose(name: str) -> None:
    kind = EVENTS[name]
    facts = {field: SECRET.get((name, field), SAMPLES.get(field)) for field in fields_of(kind)}
    sample = msgspec.convert(facts, kind)
    secret = {field for event, field in SECRET if event == name}
    own = {field for event, field in OWN if event == name}
    assert shown_of(sample, 1) == set(facts) - {"next"} - secret
    for viewer in (None, 0):
        assert shown_of(sample, viewer) == set(facts) - {"next"} - secret - own


def fields_of(kind: type[Event]) -> tuple[str, ...]:
    return kind.__struct_fields__


def shown_of(event: Event, viewer: int | None) -> set[str]:
    """The facts that the viewer is told."""
    told = redact(event, viewer)
    return set(told["data"]) | ({"seat"} if told["seat"] is not None else set())


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_the_faces_of_fresh_slots_are_told_to_nobody(viewer: int | None) -> None:
    slots = Slots(4, ("7S", "6S"))
    dealt = CardsDealt(hands=(("8S",), ("6S", "7S")), talon=(), slots=(Slots(0, ("8S",)), slots))
    taken = BoutTaken(seat=1, cards=("6S",), slots=slots)
    drawn = HandReplenished(seat=1, cards=("6S", "7S"), slots=slots)
    numbers = {"base": 4, "count": 2} if viewer == 1 else None
    assert redact(taken, viewer)["data"].get("slots") == numbers
    assert redact(drawn, viewer)["data"].get("slots") == numbers
    faces = ["6S", "7S"] if viewer == 0 else ["??", "??"]
    assert redact(drawn, viewer)["data"]["cards"] == faces
    assert redact(dealt, viewer)["data"]["hands"][1] == faces
    if viewer == 1:
        assert redact(dealt, viewer)["data"]["slots"] == numbers


def test_every_event_can_be_told_to_everybody() -> None:
    told = set()
    for event, _ in log(SETTING):
        told.add(TYPE_OF[type(event)])
        assert {redact(event, viewer)["type"] for viewer in (None, 0, 1, 2)} == {
            TYPE_OF[type(event)]
        }
    assert (
        {"cards_dealt", "bout_taken", "bout_discarded", "hand_replenished"} <= told <= set(EVENTS)
    )


def test_a_client_seed_is_told_when_its_player_sits_down() -> None:
    joined = PlayerJoined(seat=0, player="1", kind="human", client_seed="aa")
    assert redact(joined, None)["data"]["client_seed"] == "aa"


def test_a_hand_is_listed_lowest_card_first() -> None:
    game = game_of()
    assert game.state is not None
    assert seen(game, 2)["you"]["hand"] == list(to_cards(game.state.hands[2]))


def test_a_log_begins_with_an_opened_table() -> None:
    with pytest.raises(ValueError, match="game_created"):
        games.evolve(None, DEALT)
    with pytest.raises(ValueError, match="empty"):
        games.fold(None, ())


def test_a_table_knows_whose_seat_is_whose() -> None:
    game = game_of()
    assert [game.seat_of(player) for player in ("0", "2", "9")] == [0, 2, None]
    assert game.to_act == (0,)
    assert games.fold(None, opening(SETTING)).to_act == ()
    assert game.family == ruleset("throw_in").family


def test_a_private_table_exists_for_its_creator_and_those_at_it() -> None:
    private = msgspec.structs.replace(game_of(), visibility="private", creator="host")
    assert [private.exists_for(player) for player in ("host", "0", "2")] == [True, True, True]
    assert [private.exists_for(player) for player in (None, "9")] == [False, False]
    assert game_of().exists_for(None)
