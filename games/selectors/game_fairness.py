"""The proof of a fair deal: what was promised, and after the end what it was made of."""

from typing import Any

from games.rules.cards import pack
from games.rules.game import Chair
from games.rules.shuffle import ALGORITHM
from games.rules.texts.fairness import fairness_texts
from games.selectors.game_chance import Stream, game_chance
from games.store import log
from games.store.chain import nonce
from games.store.log import Head

Json = dict[str, Any]


def game_fairness(head: Head, language: str) -> Json:
    """The page; seeds, packs and nonces are there once the game is over."""
    game, texts = head.game, fairness_texts()
    early = _at_opening(head)
    page: Json = {
        "game": head.id,
        "version": game.version,
        "algorithm": ALGORITHM,
        "commitment": game.commitment,
        "chain_commitment": game.chain_commitment,
        "seats": [_seat(seat, chair, early) for seat, chair in enumerate(game.chairs)],
        "covers": [one.text(language) for one in texts.covers],
        "limits": [one.text(language) for one in texts.limits],
        "revealed": None,
    }
    return page | ({"revealed": _revealed(head)} if game.status == "finished" else {})


def _at_opening(head: Head) -> int:
    """The last seat taken in the request that opened the table, as a version.

    Whatever that request wrote bears the moment of the opening. Bots may have sat down before the
    player who opened the table, if theirs are the lower seats.
    """
    first = log.events(head.id, limit=1 + len(head.game.chairs))
    return sum(stored.at == head.created_at for stored in first)


def _seat(seat: int, chair: Chair, early: int) -> Json:
    version = chair.seeded_at if chair.client_seed else None
    return {
        "seat": seat,
        "client_seed": chair.client_seed or None,
        "version": version,
        "before_commitment": version is not None and version <= early,
    }


def _revealed(head: Head) -> Json:
    game, seed = head.game, log.server_seed(head.id)
    streams = game_chance(head, seed)
    return {
        "server_seed": seed.hex(),
        "initial_pack": pack(game.rules.deck_size),
        "packs": [_pack(stream) for stream in streams if stream.is_deal],
        "streams": [_stream(stream) for stream in streams if not stream.is_deal],
        "chain_secret": head.chain_secret.hex(),
        "nonces": [nonce(head.chain_secret, seq).hex() for seq in range(1, game.version + 1)],
        "head": head.hash.hex(),
    }


def _pack(stream: Stream) -> Json:
    return {"label": stream.label, "pack": stream.cards}


def _stream(stream: Stream) -> Json:
    return {"label": stream.label, "number": stream.number, "cards": stream.cards}
