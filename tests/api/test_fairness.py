"""GET /games/{id}/fairness and PUT /games/{id}/client-seed."""

import hashlib
import hmac
import random
from typing import Any
from uuid import UUID

import msgspec
import pytest

from games.models import Game
from games.selectors.game_fairness import game_fairness
from games.services.game_rematch import game_rematch
from games.services.game_seats import game_bot_add, game_join, game_leave
from games.store import log
from tests.api.conftest import Api, bad_fields, refusal
from tests.api.tables import (
    NOBODY_KNOWS,
    Person,
    create,
    events_of,
    open_game,
    people,
    play_out,
    view_of,
)
from tests.rules.fair_deal import below, commitment, shuffled, words
from tests.scores import new_players
from tests.tables import head_of, open_table
from tests.tables import play_out as finish

pytestmark = pytest.mark.django_db


def page_of(client: Api, path: str, **headers: str) -> dict[str, Any]:
    """The fairness page."""
    answer = client.get(f"{path}/fairness", **headers)
    assert answer.status_code == 200, answer.content
    page: dict[str, Any] = answer.json()
    return page


def set_seed(client: Api, path: str, seed: Any, **headers: str) -> Any:
    """PUT the caller's seed."""
    return client.call("PUT", f"{path}/client-seed", {"seed": seed}, **headers)


@pytest.fixture
def table() -> tuple[Person, Person, str]:
    """Ann's open table with her seed from the start, and Bob, who has not sat down."""
    ann, bob = people(2)
    return ann, bob, f"/games/{create(ann, client_seed='first')['id']}"


def test_before_the_end_it_promises(table: tuple[Person, Person, str], anybody: Api) -> None:
    ann, _, path = table
    page = page_of(anybody, path)
    view = view_of(ann, path)
    assert page["commitment"] == view["fairness"]["commitment"]
    assert (page["algorithm"], page["revealed"]) == ("durak-deal-v1", None)
    mine, free = page["seats"]
    assert mine == {
        "seat": 0,
        "client_seed": b"first".hex(),
        "version": 2,
        "before_commitment": True,
    }
    assert free == {"seat": 1, "client_seed": None, "version": None, "before_commitment": False}
    assert page["covers"]
    assert page["limits"]


def test_it_speaks_russian(table: tuple[Person, Person, str], anybody: Api) -> None:
    english = page_of(anybody, table[2], accept_language="en")
    russian = page_of(anybody, table[2], accept_language="ru")
    assert len(russian["limits"]) == len(english["limits"])
    assert all(any("а" <= letter <= "я" for letter in text) for text in russian["limits"])


def test_a_seed_can_be_exchanged_until_the_start(table: tuple[Person, Person, str]) -> None:
    ann, bob, path = table
    before = view_of(ann, path)["version"]
    answer = set_seed(ann, path, "счастье")
    assert (answer.status_code, answer.json()["version"]) == (200, before + 1)
    assert set_seed(ann, path, "счастье").json()["version"] == before + 1
    [event] = events_of(bob, path, before)
    assert (event["type"], event["seat"]) == ("client_seed_set", 0)
    seat = page_of(bob, path)["seats"][0]
    assert seat["client_seed"] == "счастье".encode().hex()
    assert (seat["version"], seat["before_commitment"]) == (before + 1, False)
    assert bob.post(f"{path}/join").status_code == 200
    refusal(set_seed(ann, path, "late"), 409, "game.running")
    ann.post(f"{path}/resign")
    refusal(set_seed(ann, path, "later"), 409, "game.over")


def test_a_seed_is_set_once_however_often_it_is_sent(table: tuple[Person, Person, str]) -> None:
    ann, _, path = table
    first = set_seed(ann, path, "one", idempotency_key="k")
    again = set_seed(ann, path, "one", idempotency_key="k")
    assert again.content == first.content
    assert again["Idempotency-Replayed"] == "true"
    refusal(set_seed(ann, path, "two", idempotency_key="k"), 422, "idempotency.key_reused")


def test_bad_seeds_change_nothing(table: tuple[Person, Person, str], anybody: Api) -> None:
    ann, bob, path = table
    assert "seed" in bad_fields(set_seed(ann, path, "я" * 33))
    assert "seed" in bad_fields(set_seed(ann, path, 5))
    assert "seed" in bad_fields(ann.call("PUT", f"{path}/client-seed", {}))
    refusal(set_seed(bob, path, "mine"), 403, "game.not_joined")
    refusal(set_seed(anybody, path, "mine"), 401, "auth.missing")
    refusal(set_seed(ann, f"/games/{NOBODY_KNOWS}", "mine"), 404, "game.not_found")
    refusal(ann.get(f"/games/{NOBODY_KNOWS}/fairness"), 404, "game.not_found")
    assert view_of(ann, path)["version"] == 2


def test_a_private_game_has_no_page_for_strangers(anybody: Api) -> None:
    ann, bob = people(2)
    path = open_game(ann, bob, visibility="private")
    assert page_of(bob, path)["revealed"] is None
    refusal(anybody.get(f"{path}/fairness"), 404, "game.not_found")
    refusal(Person("eve").get(f"{path}/fairness"), 404, "game.not_found")


def test_while_it_runs_nothing_depends_on_the_secrets() -> None:
    ann, bob = people(2)
    path = open_game(ann, bob)
    key = UUID(path[7:])
    before = ann.get(f"{path}/fairness").content
    Game.objects.filter(id=key).update(server_seed=bytes(32), chain_secret=bytes(32))
    assert ann.get(f"{path}/fairness").content == before


HIDING = [
    {"ruleset": "throw_in"},
    {"ruleset": "transfer.face_out"},
    {"ruleset": "mau_mau"},
    {"ruleset": "throw_in", "options": {"first_attacker": "random"}},
]


@pytest.mark.parametrize("terms", HIDING, ids=lambda terms: terms["ruleset"])
def test_games_of_other_secrets_have_the_same_page(terms: dict[str, Any]) -> None:
    """Other seeds, another pack, other hands; but for id and hashes the answers are equal bytes."""
    ann, bob = people(2)
    shown, hidden = set(), set()
    for _ in range(4):
        path = open_game(ann, bob, client_seed="same", **terms)
        page = page_of(ann, path)
        text = ann.get(f"{path}/fairness").content.decode()
        for mark in (path[7:], page["commitment"], page["chain_commitment"]):
            assert text.count(mark) == 1
            text = text.replace(mark, "")
        shown.add(text)
        hidden.add(log.server_seed(UUID(path[7:])))
        assert not any(secret.hex() in text for secret in secrets_of(path))
    assert (len(shown), len(hidden)) == (1, 4)


def secrets_of(path: str) -> list[bytes]:
    """The seeds of a game's deal, log and bots."""
    row = Game.objects.get(id=UUID(path[7:]))
    return [bytes(secret) for secret in (row.server_seed, row.chain_secret, row.bot_secret)]


def test_after_the_end_everything_is_revealed(anybody: Api) -> None:
    ann, bob = people(2)
    path = open_game(ann, bob, client_seed="first")
    play_out(path, random.Random(1), ann, bob)
    page, game = page_of(anybody, path), path[7:]
    shown = page["revealed"]
    seed, secret = bytes.fromhex(shown["server_seed"]), bytes.fromhex(shown["chain_secret"])
    assert commitment(seed, game) == page["commitment"]
    chain = hashlib.sha256(b"durak-chain-v1" + game.encode() + secret).hexdigest()
    assert chain == page["chain_commitment"]
    seeds = [bytes.fromhex(seat["client_seed"] or "") for seat in page["seats"]]
    [dealt] = shown["packs"]
    order = shuffled(shown["initial_pack"], words(seed, game, dealt["label"], seeds))
    assert dealt["pack"] == order
    assert len(shown["nonces"]) == page["version"]
    second = hmac.digest(secret, b"durak-nonce-v1" + (2).to_bytes(8, "big"), "sha256")
    assert shown["nonces"][1] == second.hex()
    assert shown["head"] == events_of(ann, path)[-1]["hash"]
    [lot] = shown["streams"]
    dealer = below(2, words(seed, game, "dealer", seeds))
    assert lot == {"label": "dealer", "number": dealer, "cards": None}


def test_every_stream_that_was_used_is_revealed(anybody: Api) -> None:
    ann, bob = people(2)
    path = open_game(ann, bob, ruleset="transfer.face_out", client_seed="first")
    play_out(path, random.Random(1), ann, bob)
    page, events = page_of(anybody, path), replay_events(path)
    shown = {stream["label"]: stream["cards"] for stream in page["revealed"]["streams"]}
    dealt = next(event["data"]["slots"] for event in events if event["type"] == "cards_dealt")
    assert [shown["hand.0"], shown["hand.1"]] == [slots["cards"] for slots in dealt]
    gained = [event["data"]["slots"] for event in events if "slots" in event["data"]][1:]
    later = [cards for label, cards in shown.items() if label.startswith("slots.")]
    assert later == [slots["cards"] for slots in gained]
    assert later


def replay_events(path: str) -> list[dict[str, Any]]:
    """The events of a finished game."""
    events: list[dict[str, Any]] = Api().get(f"{path}/replay").json()["events"]
    return events


def test_a_seed_that_opened_a_rematch_is_early() -> None:
    """A bot of a lower seat sits down before whoever opens the table, in the same request."""
    ann, bob = new_players(2)
    first = open_table([ann, bob], seats=3)
    game_leave(game_id=first, player_id=ann.id)
    game_bot_add(game_id=first, player_id=ann.id, brain="random")
    game_bot_add(game_id=first, player_id=ann.id, brain="random")
    finish(first, random.Random(1))
    opened = game_rematch(game_id=first, player_id=bob.id, kind=bob.kind, client_seed="early").head
    seat = game_fairness(opened, "en")["seats"][1]
    assert (seat["version"], seat["before_commitment"]) == (3, True)


def test_a_seed_of_a_later_request_is_not_early() -> None:
    ann, bob, cat = new_players(3)
    game_id = open_table([ann], seats=3, client_seed="early")
    for player in (bob, cat):
        game_join(game_id=game_id, player_id=player.id, kind=player.kind, client_seed="late")
    seats = game_fairness(head_of(game_id), "en")["seats"]
    assert [seat["before_commitment"] for seat in seats] == [True, False, False]


def test_the_page_costs_the_same_for_long_games(django_assert_num_queries: Any) -> None:
    ann, bob = people(2)
    path = open_game(ann, bob)
    anybody = Api()
    with django_assert_num_queries(2):
        page_of(anybody, path)
    play_out(path, random.Random(1), ann, bob)
    with django_assert_num_queries(4):
        page_of(anybody, path)


def test_the_texts_say_the_same_number_of_things() -> None:
    from games.rules.texts.fairness import fairness_texts

    texts = fairness_texts()
    assert all(one.en and one.ru for one in (*texts.covers, *texts.limits))
    assert msgspec.json.encode(texts)
