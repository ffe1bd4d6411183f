"""Exports of games that were really played, one of every ruleset at least."""

import random
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import msgspec

from games.rules.rulesets.registry import player_counts, ruleset_ids
from games.selectors.game_replay import game_replay
from games.services.game_rematch import game_rematch
from games.services.game_seats import client_seed_set, game_join, game_resign
from games.services.game_void import game_void
from tests.scores import new_players
from tests.tables import head_of, open_table, play_one, play_out, player_at

Export = dict[str, Any]
MOVES = 25
# Deals that are void, talons and piles that are shuffled, lots: options of no preset.
UNUSUAL: list[tuple[str, dict[str, Any]]] = [
    ("throw_in", {"no_trump_first": "redeal", "deck_size": 52}),
    ("throw_in", {"first_attacker": "random", "first_dealer": "last_seat"}),
    ("throw_in", {"trump_source": "draw_until_suit", "trump_suit": "S"}),
    ("mau_mau", {"first_player": "random"}),
]
SHUFFLED = {"recycle": "shuffle"}
LARGE = {"transfer.face_out": 3, "throw_in.japanese": 5, "pentagon": 3, "mau_mau": 4}


def exports(seed: int = 1) -> Iterator[Export]:
    """Every preset at its smallest table, some at larger ones to the end, and the unusual."""
    rng = random.Random(seed)
    for name in ruleset_ids():
        yield exported(resigned(rng, ruleset=name, seats=player_counts(name)[0]))
    for name, seats in LARGE.items():
        yield exported(played_out(rng, ruleset=name, seats=seats))
    for name, options in UNUSUAL:
        yield exported(played_out(rng, ruleset=name, seats=2, options=options))
    yield redealt(rng)
    yield reshuffled(rng)
    yield from (exported(rematch(rng, name)) for name in ("throw_in", "mau_mau"))
    yield from (
        exported(voided(game))
        for game in (resigned(rng, ruleset="simple", seats=2), started(ruleset="mau_mau", seats=2))
    )


def redealt(rng: random.Random) -> Export:
    """A game whose first deal was void, as about every fourth is with so large hands."""
    options = {"redeal_on_bad_hand": "five_of_suit", "hand_size": 8, "deck_size": 52}
    while True:
        game = exported(resigned(rng, ruleset="throw_in", seats=2, options=options))
        if any(event["type"] == "cards_redealt" for event in game["events"]):
            return game


def reshuffled(rng: random.Random) -> Export:
    """A game long enough for its pile to be shuffled into a talon."""
    while True:
        game = exported(played_out(rng, ruleset="mau_mau", seats=2, options=SHUFFLED))
        if any(event["type"] == "discard_recycled" for event in game["events"]):
            return game


def rematch(rng: random.Random, name: str) -> UUID:
    """The second game of a match: who deals and who begins follow from the first."""
    last = resigned(rng, ruleset=name, seats=2)
    seats = [player_at(last, 0), player_at(last, 1)]
    opened = [game_rematch(game_id=last, player_id=player, kind="human") for player in seats]
    return _some_moves(opened[-1].head.id, rng)


def voided(game_id: UUID) -> UUID:
    """A game that a referee has voided."""
    return game_void(game_id=game_id, reason="two accounts of one player", by="judge").head.id


def exported(game_id: UUID) -> Export:
    """What `GET /games/{id}/replay` answers."""
    plain: Export = msgspec.json.decode(msgspec.json.encode(game_replay(head_of(game_id))))
    return plain


def started(**terms: Any) -> UUID:
    """A game that has begun; its players have given seeds."""
    players = new_players(terms["seats"])
    game_id = open_table(players[:-1], client_seed="mine", **terms)
    client_seed_set(game_id=game_id, player_id=players[0].id, seed="счастье")
    last = players[-1]
    game_join(game_id=game_id, player_id=last.id, kind=last.kind, client_seed="last")
    return game_id


def played_out(rng: random.Random, **terms: Any) -> UUID:
    """A game that was played to its end."""
    game_id = started(**terms)
    play_out(game_id, rng)
    return game_id


def resigned(rng: random.Random, **terms: Any) -> UUID:
    """A game that is over after some moves, if two play it; else it is played to its end."""
    if terms["seats"] > 2:
        return played_out(rng, **terms)
    return _some_moves(started(**terms), rng)


def _some_moves(game_id: UUID, rng: random.Random) -> UUID:
    """A game of two that is played for a while and then given up, unless it is over."""
    for _ in range(MOVES):
        if head_of(game_id).game.status == "finished":
            return game_id
        play_one(game_id, rng)
    if head_of(game_id).game.status != "finished":
        game_resign(game_id=game_id, player_id=player_at(game_id, 0))
    return game_id
