"""Nobody can try cards against the hashes: without the game's secret no candidate fits.

The attacker is given more than he can know: all of each event but the one card that is hidden
from him, exactly as it is hashed.
"""

import hashlib
import hmac
import json
import random
from collections.abc import Iterator
from typing import Any, NamedTuple
from uuid import UUID

import pytest

from games.models import Game, GameEvent
from games.rules.cards import CARDS
from tests.api.tables import Person, events_of, open_game, people, pick, play_out, view_of
from tests.store.test_chain import text

pytestmark = pytest.mark.django_db
MOVES, NEARLY_OUT = 24, 2
# Hidden cards of a game that are tried.
MOST = 8
TABLES = [
    ("throw_in", 2),
    ("throw_in.japanese", 3),
    ("transfer.face_out", 2),
    ("throw_in.face_out", 2),
    ("mau_mau", 2),
    ("hundred_one", 3),
    ("pharaoh", 2),
]
FIELDS = ("cards", "card")


class Target(NamedTuple):
    """An event of which a player is not shown one card: what is hashed before and after it."""

    seq: int
    previous: bytes
    hash: bytes
    row: GameEvent
    field: str

    def content(self, card: str) -> bytes:
        """What would be hashed if it were this card."""
        facts = {**self.row.data, self.field: [card] if self.field == "cards" else card}
        at = self.row.at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        return text([self.row.type, self.row.schema_version, at]) + text(facts)

    @property
    def card(self) -> str:
        """The truth."""
        found = self.row.data[self.field]
        return found[0] if self.field == "cards" else found


class Told(NamedTuple):
    """What one player was told in a game so far: answers, their headers, events."""

    game: str
    answers: list[bytes]
    events: list[dict[str, Any]]

    def targets(self) -> Iterator[Target]:
        """The events that hide exactly one card from him."""
        hashes = [bytes(32), *(bytes.fromhex(event["hash"]) for event in self.events)]
        rows = GameEvent.objects.filter(game=self.game).order_by("seq")
        for event, row in zip(self.events, rows, strict=False):
            for field in FIELDS:
                if event["data"].get(field) in (["??"], "??"):
                    seq = event["seq"]
                    yield Target(seq, hashes[seq - 1], hashes[seq], row, field)


def listen(player: Person, path: str) -> Told:
    """Everything that the API tells a player of a game that runs."""
    version = view_of(player, path)["version"]
    queries = ("", f"?at={version - 1}", "/events?limit=1000", "/events?after=1&snapshot=true")
    answers = [player.get(path + query) for query in queries]
    answers += [player.get(path, if_none_match=answers[0]["ETag"]), player.get("/games")]
    told = [str(sorted(answer.headers.items())).encode() + answer.content for answer in answers]
    return Told(path[7:], told, events_of(player, path))


def digest(game: str, target: Target, nonce: bytes, content: bytes) -> bytes:
    """The hash of an event, as the documentation says that it is made."""
    number = target.seq.to_bytes(8, "big")
    parts = b"durak-log-v1", game.encode(), number, target.previous, nonce, content
    return hashlib.sha256(b"".join(parts)).digest()


def nonce(secret: bytes, seq: int) -> bytes:
    """The nonce of an event."""
    return hmac.new(secret, b"durak-nonce-v1" + seq.to_bytes(8, "big"), hashlib.sha256).digest()


def guessed_secrets(told: Told, finished: dict[str, Any]) -> list[bytes]:
    """Whatever a player might take for the secret: all 32 bytes that he knows, and texts."""
    created = told.events[0]["data"]
    known = [created["commitment"], created["chain_commitment"], created["ruleset_sha256"]]
    known += [finished["chain_secret"], finished["server_seed"], finished["head"]]
    known += [event["hash"] for event in told.events[:3]]
    seen = [bytes(32), b"", told.game.encode(), UUID(told.game).bytes]
    return [*seen, *map(bytes.fromhex, known), *map(str.encode, known)]


def guesses(told: Told, target: Target, finished: dict[str, Any]) -> Iterator[bytes]:
    """Whatever he might take for the nonce of an event."""
    yield target.previous
    yield target.hash
    for secret in guessed_secrets(told, finished):
        yield secret
        yield nonce(secret, target.seq)
        yield hashlib.sha256(secret + target.seq.to_bytes(8, "big")).digest()
    for event in finished["events"][:3]:
        yield nonce(bytes.fromhex(finished["chain_secret"]), event["seq"])


def candidates(told: Told, target: Target, nonces: list[bytes]) -> set[str]:
    """The cards that fit."""
    contents = {card: target.content(card) for card in CARDS}
    return {
        card
        for card, content in contents.items()
        for one in nonces
        if digest(told.game, target, one, content) == target.hash
    }


def finish(path: str, rng: random.Random, players: list[Person]) -> dict[str, Any]:
    """Bring a game to its end; its replay, with the secrets."""
    if len(players) == 2:
        assert players[0].post(f"{path}/resign").status_code == 200
    else:
        play_out(path, rng, *players)
    replay: dict[str, Any] = players[0].get(f"{path}/replay").json()
    return replay


def play_on(path: str, rng: random.Random, players: list[Person]) -> None:
    """So many moves, or until one more might be the last."""
    for _ in range(MOVES):
        view = view_of(players[0], path)
        if min(seat["hand_count"] for seat in view["seats"]) <= NEARLY_OUT:
            return
        [seat] = view["to_act"]
        move = pick(view_of(players[seat], path), rng)
        assert players[seat].post(f"{path}/moves", move).status_code == 201


def hidden_cards(
    ruleset: str, rng: random.Random, players: list[Person]
) -> tuple[str, list[tuple[Told, Target]]]:
    """A game that runs, and some events of it that hide a card from a player."""
    while True:
        path = open_game(*players, ruleset=ruleset)
        play_on(path, rng, players)
        told = [listen(player, path) for player in players]
        found = [(one, target) for one in told for target in one.targets()]
        if found:
            return path, rng.sample(found, min(MOST, len(found)))
        # Cards came by twos, or not at all: another deal.
        players[0].post(f"{path}/resign")


@pytest.mark.parametrize(("ruleset", "seats"), TABLES)
def test_no_card_fits_a_hash_before_the_secret_is_known(ruleset: str, seats: int) -> None:
    players, rng = people(seats), random.Random(5)
    other = open_game(*players[:2], ruleset=ruleset)
    finished = finish(other, rng, players[:2])
    path, targets = hidden_cards(ruleset, rng, players)
    for one, target in targets:
        assert target.card not in (one.events[target.seq - 1]["data"][target.field])
        nonces = list(guesses(one, target, finished))
        assert candidates(one, target, nonces) == set()
    secret = bytes.fromhex(finish(path, rng, players)["chain_secret"])
    for one, target in targets:
        true = nonce(secret, target.seq)
        assert candidates(one, target, [bytes(32), true]) == {target.card}


@pytest.mark.parametrize(("ruleset", "seats"), TABLES[::2])
def test_no_answer_holds_a_secret_or_a_nonce(ruleset: str, seats: int) -> None:
    players, rng = people(seats), random.Random(5)
    path = open_game(*players, ruleset=ruleset)
    play_on(path, rng, players)
    game = Game.objects.get(id=path[7:])
    hidden = [bytes(game.chain_secret), bytes(game.server_seed), bytes(game.bot_secret)]
    hidden += [nonce(bytes(game.chain_secret), seq + 1) for seq in range(game.version)]
    told = b"".join(answer for player in players for answer in listen(player, path).answers)
    for secret in hidden:
        assert secret.hex().encode() not in told.lower()
        assert json.dumps(secret.decode("latin-1")).encode() not in told
    shown = players[0].get(f"{path}/events?limit=1000").content
    assert bytes(game.head_hash).hex().encode() in shown
