"""Shapes of webhooks on the wire."""

from datetime import datetime
from typing import Annotated, Literal, get_args
from uuid import UUID

import msgspec
from msgspec import Meta

from games.api.bodies import Body
from games.models import Webhook, WebhookDelivery

Event = Literal["turn.yours", "game.started", "game.finished"]
EventOut = Annotated[str, Meta(extra_json_schema={"enum": list(get_args(Event))})]
StatusOut = Annotated[str, Meta(extra_json_schema={"enum": list(Webhook.Status.values)})]
DeliveryStatus = Annotated[
    str, Meta(extra_json_schema={"enum": list(WebhookDelivery.Status.values)})
]
Url = Annotated[str, Meta(max_length=500, description="http or https, on the open internet")]
Events = Annotated[list[Event], Meta(min_length=1, max_length=10)]
Label = Annotated[str, Meta(max_length=100)]


class NewWebhook(Body, frozen=True):
    """Where to send; all events unless fewer are named."""

    url: Url
    events: Events | None = None
    label: Label = ""


class WebhookChange(Body, frozen=True):
    """What to change; what is absent stays. `enabled` also brings back one that was failing."""

    url: Url | msgspec.UnsetType = msgspec.UNSET
    events: Events | msgspec.UnsetType = msgspec.UNSET
    label: Label | msgspec.UnsetType = msgspec.UNSET
    status: Literal["enabled", "paused"] | msgspec.UnsetType = msgspec.UNSET


class WebhookItem(msgspec.Struct, frozen=True):
    """A webhook. `failing` was given up by the server; nothing failed if `failing_since` is null.

    `secret` is there in the answers to making it and to renewing it, and never again.
    """

    id: UUID
    url: str
    events: list[EventOut]
    label: str
    status: StatusOut
    failing_since: datetime | None
    created_at: datetime
    secret: str | msgspec.UnsetType = msgspec.UNSET


class DeliveryItem(msgspec.Struct, frozen=True):
    """A message: its id goes as `webhook-id`. `next_attempt_at` while it waits for another try.

    `error` says why no answer came: `timeout`, `connection`, `tls`, `name_unknown`, `protocol`,
    `address_refused`; or `unreadable`, our fault. `response_start` is how the last answer began.
    """

    id: UUID
    event: str
    game_id: UUID | None
    version: int | None
    created_at: datetime
    status: DeliveryStatus
    attempts: int
    attempted_at: datetime | None
    next_attempt_at: datetime | None
    response_status: int | None
    response_start: str
    error: str
