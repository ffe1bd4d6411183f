"""The proof of a fair deal: what was promised, and after the end what it was made of."""

from collections.abc import Iterator
from typing import Any

from games.rules.bout.setup import stream_label
from games.rules.cards import pack
from games.rules.events import CardsDealt
from games.rules.game import Chair, Game, entropy_of
from games.rules.shuffle import ALGORITHM
from games.rules.texts.fairness import fairness_texts
from games.store import log
from games.store.chain import nonce
from games.store.log import Head

Json = dict[str, Any]
# The creator's own seat is taken by the second event, in the request that opened the table.
_AT_CREATION = 2


def game_fairness(head: Head, language: str) -> Json:
    """The page; seeds, packs and nonces are there once the game is over."""
    game, texts = head.game, fairness_texts()
    page: Json = {
        "game": head.id,
        "version": game.version,
        "algorithm": ALGORITHM,
        "commitment": game.commitment,
        "chain_commitment": game.chain_commitment,
        "seats": [_seat(seat, chair) for seat, chair in enumerate(game.chairs)],
        "covers": [one.text(language) for one in texts.covers],
        "limits": [one.text(language) for one in texts.limits],
        "revealed": None,
    }
    return page | ({"revealed": _revealed(head)} if game.status == "finished" else {})


def _seat(seat: int, chair: Chair) -> Json:
    given = bool(chair.client_seed)
    return {
        "seat": seat,
        "client_seed": chair.client_seed if given else None,
        "version": chair.seeded_at if given else None,
        "before_commitment": given and chair.seeded_at == _AT_CREATION,
    }


def _revealed(head: Head) -> Json:
    game, seed = head.game, log.server_seed(head.id)
    return {
        "server_seed": seed.hex(),
        "initial_pack": pack(game.rules.deck_size),
        "packs": list(_packs(head, seed)),
        "chain_secret": head.chain_secret.hex(),
        "nonces": [nonce(head.chain_secret, seq).hex() for seq in range(1, game.version + 1)],
        "head": head.hash.hex(),
    }


def _packs(head: Head, seed: bytes) -> Iterator[Json]:
    """The order of the pack for each deal, void ones first."""
    game: Game = head.game
    entropy = entropy_of(game, str(head.id), seed)
    events = (stored.event for stored in log.events(head.id))
    deals = sum(isinstance(event, CardsDealt) for event in events)
    for attempt in range(deals):
        label = stream_label("deal", attempt)
        order = entropy.shuffled(pack(game.rules.deck_size), label)
        yield {"label": label, "pack": order}
