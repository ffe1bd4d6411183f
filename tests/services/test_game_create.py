"""Opening a table."""

from typing import Any
from uuid import UUID

import pytest

from games.models import DueTurn, Game, GameSeat, Player
from games.rules import engine
from games.rules.errors import InvalidOptions, UnknownRuleset
from games.rules.match import terms_of
from games.rules.shuffle import Entropy, commitment
from games.services.game_create import Table, game_create
from games.services.house import house_player
from games.store import log
from tests.scores import new_player
from tests.tables import head_of, open_table, refused, types_of

pytestmark = pytest.mark.django_db
DEAL = ["game_started", "cards_dealt", "trump_turned", "attacker_named"]


def create(**table: Any) -> UUID:
    """A table of a new player's."""
    asked = Table(**{"ruleset": "throw_in", "seats": 3, **table})
    return game_create(creator=new_player().id, kind="human", table=asked).head.id


def seats_of(game_id: UUID) -> list[str | None]:
    """What plays each seat: a brain, a human, or nobody yet."""
    chairs = head_of(game_id).game.chairs
    return [chair.brain or (chair.kind if chair.player else None) for chair in chairs]


def test_the_creator_sits_first_and_bots_last() -> None:
    game_id = create(seats=4, bots=("greedy", "random"))
    assert seats_of(game_id) == ["human", None, "greedy", "random"]
    assert types_of(game_id) == ["game_created", *["player_joined"] * 3]
    rows = GameSeat.objects.filter(game=game_id).order_by("seat")
    assert list(rows.values_list("seat", flat=True)) == [0, 2, 3]
    assert head_of(game_id).game.status == "open"


def test_a_full_table_starts_by_itself() -> None:
    game_id = create(seats=2, bots=("greedy",))
    assert types_of(game_id)[-4:] == DEAL
    assert head_of(game_id).game.status == "running"


def test_it_waits_for_its_creator_if_he_says_so() -> None:
    game_id = create(seats=2, bots=("greedy",), auto_start=False)
    assert head_of(game_id).game.status == "open"


def test_a_table_of_bots_is_watched() -> None:
    game_id = create(seats=3, bots=("greedy", "random", "greedy"))
    assert seats_of(game_id) == ["greedy", "random", "greedy"]
    head = head_of(game_id)
    assert head.game.seat_of(head.game.creator) is None
    assert DueTurn.objects.get(game=game_id).version == head.game.version


def test_brains_have_accounts_that_nobody_can_take() -> None:
    Player.objects.filter(id=house_player("greedy")).delete()
    taken = new_player("greedy")
    game_id = create(seats=2, bots=("greedy",))
    sitter = head_of(game_id).sitters[1]
    assert sitter == ("greedy-2", "bot")
    assert str(taken.id) != head_of(game_id).game.chairs[1].player


def test_whoever_takes_all_likely_names_keeps_no_brain_away() -> None:
    Player.objects.filter(id=house_player("greedy")).delete()
    for name in ("greedy", *(f"greedy-{number}" for number in range(2, 101))):
        new_player(name)
    sitter = head_of(create(seats=2, bots=("greedy",))).sitters[1]
    assert sitter is not None
    assert sitter.name.startswith("greedy-")


@pytest.mark.parametrize("seats", [0, 1, 7, 1000])
def test_the_ruleset_says_how_many_may_play(seats: int) -> None:
    with pytest.raises(InvalidOptions) as caught:
        create(seats=seats)
    assert caught.value.errors == {"players": "from 2 to 6"}


def test_what_cannot_be_played_is_refused_and_leaves_nothing() -> None:
    with pytest.raises(UnknownRuleset):
        create(ruleset="poker")
    with pytest.raises(InvalidOptions, match="hand_size"):
        create(options={"hand_size": 60})
    with refused("request.invalid", errors=[{"field": "bots", "reason": "there are 2 seats"}]):
        create(seats=2, bots=("greedy",) * 3)
    with refused("request.invalid"):
        create(bots=("greedy", "nobody"))
    with refused("request.invalid"):
        create(client_seed="я" * 33)
    assert not Game.objects.exists()


@pytest.mark.parametrize(
    ("table", "series_length", "target"),
    [
        ({}, None, None),
        ({"series_length": 5}, 5, None),
        ({"ruleset": "mau_mau"}, None, None),
        ({"ruleset": "mau_mau", "match_target": 50}, None, 50),
        ({"ruleset": "mau_mau", "options": {"match_target": 70}}, None, 70),
        ({"ruleset": "hundred_one"}, None, 101),
        ({"ruleset": "hundred_one", "match_target": 50}, None, 50),
        ({"ruleset": "hundred_one", "series_length": 3}, 3, None),
    ],
)
def test_what_ends_the_match(
    table: dict[str, Any], series_length: int | None, target: int | None
) -> None:
    game = head_of(create(**table)).game
    assert (game.series_length, game.match_target) == (series_length, target)


@pytest.mark.parametrize(
    "table",
    [
        {"series_length": 2},
        {"series_length": -1},
        {"series_length": 101},
        {"match_target": 101},
        {"ruleset": "japanese_shedding", "match_target": 101},
        {"ruleset": "mau_mau", "match_target": 0},
        {"ruleset": "mau_mau", "match_target": 10_001},
        {"ruleset": "mau_mau", "match_target": 101, "series_length": 3},
        {"ruleset": "mau_mau", "options": {"match_target": 101}, "series_length": 3},
        {"ruleset": "hundred_one", "options": {"match_target": 101}, "series_length": 3},
        {"ruleset": "mau_mau", "options": {"match_target": 101}, "match_target": 50},
    ],
)
def test_what_cannot_end_it(table: dict[str, Any]) -> None:
    with refused("request.invalid"):
        create(**table)
    assert not Game.objects.exists()


@pytest.mark.parametrize(
    ("ruleset_id", "options", "target"),
    [
        ("mau_mau", {"exact_target_resets": True}, 50),
        ("mau_mau", {"exact_target_resets": True, "match_target": 50}, 50),
        ("mau_mau", {"exact_target_resets": True, "match_target": 50}, None),
        ("mau_mau", {"exact_target_resets": True, "match_target": None}, 50),
        ("hundred_one", {}, 50),
        ("hundred_one", {"match_target": 50}, None),
        ("hundred_one", {"match_target": None}, 50),
    ],
)
def test_exact_resets_go_with_a_target_wherever_it_is_said(
    ruleset_id: str, options: dict[str, Any], target: int | None
) -> None:
    game = head_of(create(ruleset=ruleset_id, options=options, match_target=target)).game
    terms = terms_of(game)
    assert (terms.target, terms.exact_resets) == (50, True)


def test_exact_resets_without_any_target_are_refused() -> None:
    for options in ({"exact_target_resets": True}, {"match_target": None}):
        with pytest.raises(InvalidOptions, match="exact_target_resets"):
            create(ruleset="hundred_one", options={"match_target": None} | options)


def test_options_of_the_preset_change_nothing() -> None:
    game = head_of(create(options={"deck_size": 36, "hand_size": 5})).game
    assert game.options == {"hand_size": 5}
    assert game.rules.hand_size == 5


def test_a_seed_of_the_creator_came_with_the_seat() -> None:
    seed = "я" * 32
    chair = head_of(create(client_seed=seed)).game.chairs[0]
    assert (bytes.fromhex(chair.client_seed).decode(), chair.seeded_at) == (seed, 2)


def test_a_private_table_has_an_invite_and_a_public_one_none() -> None:
    invites = {head_of(create(visibility="private")).invite for _ in range(3)}
    assert {len(invite) for invite in invites} == {16}
    assert len(invites) == 3
    assert head_of(create()).invite == ""


def test_the_deal_follows_from_what_was_committed() -> None:
    players = [new_player() for _ in range(2)]
    game_id = open_table(players, client_seed="mine")
    game, seed = head_of(game_id).game, log.server_seed(game_id)
    assert game.commitment == commitment(seed, str(game_id))
    entropy = Entropy(seed, str(game_id), (b"mine", b""))
    dealt = tuple(item.event for item in log.events(game_id) if item.seq > 3)
    assert engine.start(game.rules, 2, entropy) == dealt


def test_every_game_has_secrets_of_its_own() -> None:
    rows = Game.objects.filter(id__in=[create(), create()])
    fields = ("server_seed", "chain_secret", "bot_secret")
    secrets = {bytes(secret) for row in rows.values_list(*fields) for secret in row}
    assert len(secrets) == 6
    assert {len(secret) for secret in secrets} == {32}
