"""`/games/{id}/fairness` and `/games/{id}/client-seed`: deals that anyone can verify."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.bodies import Body
from games.api.game_frame import GameApiView
from games.api.game_shapes import GameView
from games.api.identifiers import parse_id
from games.api.operations import operation
from games.selectors.game_fairness import game_fairness
from games.services.game_advance import Outcome
from games.services.game_seats import client_seed_set


class SeatSeed(msgspec.Struct, frozen=True):
    """A seat's own seed in hex, if it gave one, and the version at which it came.

    With `before_commitment` it came in the body that opened the table, and proves nothing.
    """

    seat: int
    client_seed: str | None
    version: int | None
    before_commitment: bool


class DealtPack(msgspec.Struct, frozen=True):
    """The order of the pack that the seeds make in the stream `label`; redeals have their own."""

    label: str
    pack: list[str]


class UsedStream(msgspec.Struct, frozen=True):
    """What came of a stream that is no deal: a number (of a seat), or an order of cards."""

    label: str
    number: int | None
    cards: list[str] | None


class Revealed(msgspec.Struct, frozen=True):
    """What the promises were made of, in hex; `nonces` has one for each event.

    `packs` are the deals, void ones first, `streams` all other chance of the game in its order.
    """

    server_seed: str
    initial_pack: list[str]
    packs: list[DealtPack]
    streams: list[UsedStream]
    chain_secret: str
    nonces: list[str]
    head: str


class FairnessView(msgspec.Struct, frozen=True):
    """The promises of a game; `covers` and `limits` say what they prove and what they do not."""

    game: UUID
    version: int
    algorithm: str
    commitment: str
    chain_commitment: str
    seats: list[SeatSeed]
    covers: list[str]
    limits: list[str]
    revealed: Revealed | None


class ClientSeed(Body, frozen=True):
    """A player's own half of the deal's chance."""

    seed: Annotated[str, Meta(description="at most 64 bytes of UTF-8; empty for none")]


class GameFairnessView(GameApiView):
    """`/games/{id}/fairness`"""

    @operation(
        "game_fairness",
        access="optional",
        scope="games:read",
        answer=FairnessView,
        codes=("game.not_found",),
    )
    def get(self, request: Request, game_id: str) -> Response:
        """What was promised about the deal, and after the end what proves it."""
        head = self.visible(game_id, charge=False)
        return self.answer(game_fairness(head, self.language))


class ClientSeedView(GameApiView):
    """`/games/{id}/client-seed`"""

    @operation(
        "client_seed_set",
        scope="games:play",
        bucket="own_game_moves",
        body=ClientSeed,
        answer=GameView,
        parameters=("Idempotency-Key",),
        codes=(
            *("game.not_found", "game.not_joined", "game.running", "game.over"),
            *("idempotency.key_reused", "idempotency.in_progress"),
        ),
    )
    def put(self, request: Request, game_id: str) -> Response:
        """Set your own half of the deal's chance, until the game starts.

        The server has committed to its half before: see `/games/{id}/fairness`.
        """
        game = parse_id(game_id, "game.not_found")

        def act() -> Outcome:
            seed = self.body(ClientSeed).seed
            return client_seed_set(game_id=game, player_id=self.caller.player_id, seed=seed)

        return self.write(act)
