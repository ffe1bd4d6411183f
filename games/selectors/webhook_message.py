"""What a message to a webhook says: what its player may see, and nothing else."""

from typing import Any
from uuid import UUID

from games.models import WebhookDelivery
from games.selectors.game_show import game_view, head_at, viewer_of
from games.store import log

Json = dict[str, Any]


def webhook_message(delivery: WebhookDelivery) -> Json:
    """The message of a delivery, the same at every attempt as far as the log says it."""
    data: Json = {"webhook_id": delivery.webhook_id}
    if delivery.game_id is not None and delivery.version is not None:
        data = _of_game(delivery, delivery.game_id, delivery.version)
    return {"type": delivery.event, "timestamp": delivery.at, "data": data}


def _of_game(delivery: WebhookDelivery, game_id: UUID, version: int) -> Json:
    head = log.load(game_id)
    if head is None:
        raise LookupError("the game that a player was told of")
    head = head_at(head, version)
    game = head.game
    told: Json = {
        "game_id": head.id,
        "version": game.version,
        "seat": delivery.seat,
        "deadline": delivery.deadline,
        "ruleset": game.ruleset,
        "match": {"id": game.match, "game_number": game.game_number},
        "url": f"/api/v1/games/{head.id}",
        "etag": f'"v{game.version}"',
    }
    viewer = viewer_of(head, delivery.webhook.player_id)
    if delivery.event == "turn.yours" and viewer is not None:
        told["view"] = game_view(head, viewer, delivery.at)
    if delivery.event == "game.finished":
        told["result"] = game_view(head, None, delivery.at)["result"]
    return told
