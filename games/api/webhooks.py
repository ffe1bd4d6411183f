"""`/webhooks`: a player's addresses, to which news of his games is sent."""

from uuid import UUID

from msgspec import UNSET
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import ApiView
from games.api.bodies import Nothing
from games.api.identifiers import parse_id
from games.api.operations import operation
from games.api.pagination import Page, PageQuery, decode_cursor, make_page
from games.api.problems import Problem
from games.api.webhook_shapes import DeliveryItem, NewWebhook, WebhookChange, WebhookItem
from games.models import WEBHOOK_EVENTS, Webhook, WebhookDelivery
from games.selectors.webhook_list import delivery_list, webhook_get, webhook_list
from games.services.webhook_manage import (
    webhook_create,
    webhook_delete,
    webhook_rotate,
    webhook_test,
    webhook_update,
)
from games.services.webhook_sign import secret_text

SCOPE = "webhooks:manage"
NOT_FOUND = "webhook.not_found"
_SECRET_HEADERS = {"Cache-Control": "no-store"}


class WebhooksView(ApiView):
    """`/webhooks`"""

    @operation(
        "webhook_create",
        scope=SCOPE,
        body=NewWebhook,
        answer=WebhookItem,
        status=201,
        codes=("webhook.too_many",),
    )
    def post(self, request: Request) -> Response:
        """Have news of your games sent to an address.

        Messages are signed as standardwebhooks.com says, with the `secret` of this answer, which
        is shown this once. `turn.yours` has your view of the game in it: whoever reads there sees
        your cards.
        """
        body = self.body(NewWebhook)
        webhook = webhook_create(
            player_id=self.caller.player_id,
            url=body.url,
            events=body.events or WEBHOOK_EVENTS,
            label=body.label,
        )
        headers = {"Location": f"/api/v1/webhooks/{webhook.id}", **_SECRET_HEADERS}
        return self.answer(shown(webhook, secret=True), headers=headers)

    @operation("webhook_list", scope=SCOPE, query=PageQuery, answer=Page[WebhookItem])
    def get(self, request: Request) -> Response:
        """Your webhooks, newest first, without their secrets."""
        query = self.query(PageQuery)
        before = decode_cursor(UUID, query.cursor)
        rows = webhook_list(player_id=self.caller.player_id, before=before, limit=query.size + 1)
        return self.page(make_page(rows, query.size, key=lambda row: row.id, show=shown))


class WebhookView(ApiView):
    """`/webhooks/{webhook_id}`"""

    @operation("webhook_get", scope=SCOPE, answer=WebhookItem, codes=(NOT_FOUND,))
    def get(self, request: Request, webhook_id: str) -> Response:
        """One of your webhooks."""
        return self.answer(shown(own(self, webhook_id)))

    @operation(
        "webhook_update", scope=SCOPE, body=WebhookChange, answer=WebhookItem, codes=(NOT_FOUND,)
    )
    def patch(self, request: Request, webhook_id: str) -> Response:
        """Change address, events, label or status.

        While it is `paused` nothing is sent, and what waited is dropped; the same goes for one
        that has been `failing` for three days, until you say `enabled`.
        """
        webhook = webhook_update(
            player_id=self.caller.player_id,
            webhook_id=parse_id(webhook_id, NOT_FOUND),
            changes=self.body(WebhookChange).given(),
        )
        return self.answer(shown(webhook))

    @operation("webhook_delete", scope=SCOPE, status=204, codes=(NOT_FOUND,))
    def delete(self, request: Request, webhook_id: str) -> Response:
        """Remove a webhook and its log."""
        webhook_delete(player_id=self.caller.player_id, webhook_id=parse_id(webhook_id, NOT_FOUND))
        return self.answer()


class WebhookSecretView(ApiView):
    """`/webhooks/{webhook_id}/secret`"""

    @operation("webhook_rotate", scope=SCOPE, body=Nothing, answer=WebhookItem, codes=(NOT_FOUND,))
    def post(self, request: Request, webhook_id: str) -> Response:
        """Get a new secret, shown this once; for a day messages are signed with both."""
        self.body(Nothing)
        webhook = webhook_rotate(
            player_id=self.caller.player_id, webhook_id=parse_id(webhook_id, NOT_FOUND)
        )
        return self.answer(shown(webhook, secret=True), headers=_SECRET_HEADERS)


class WebhookTestView(ApiView):
    """`/webhooks/{webhook_id}/test`"""

    @operation(
        "webhook_test",
        scope=SCOPE,
        bucket="webhook_test",
        body=Nothing,
        answer=DeliveryItem,
        status=202,
        codes=(NOT_FOUND, "webhook.disabled"),
    )
    def post(self, request: Request, webhook_id: str) -> Response:
        """Send a message of type `webhook.test`; what became of it is in the deliveries."""
        self.body(Nothing)
        delivery = webhook_test(
            player_id=self.caller.player_id, webhook_id=parse_id(webhook_id, NOT_FOUND)
        )
        return self.answer(shown_delivery(delivery))


class WebhookDeliveriesView(ApiView):
    """`/webhooks/{webhook_id}/deliveries`"""

    @operation(
        "webhook_deliveries",
        scope=SCOPE,
        query=PageQuery,
        answer=Page[DeliveryItem],
        codes=(NOT_FOUND,),
    )
    def get(self, request: Request, webhook_id: str) -> Response:
        """What was sent to a webhook, or waits to be, newest first; kept for a week."""
        query = self.query(PageQuery)
        before = decode_cursor(UUID, query.cursor)
        webhook = own(self, webhook_id)
        rows = delivery_list(webhook_id=webhook.id, before=before, limit=query.size + 1)
        return self.page(make_page(rows, query.size, key=lambda row: row.id, show=shown_delivery))


def own(view: ApiView, webhook_id: str) -> Webhook:
    """The caller's webhook. Raises Problem webhook.not_found, for another player's too."""
    key = parse_id(webhook_id, NOT_FOUND)
    webhook = webhook_get(player_id=view.caller.player_id, webhook_id=key)
    if webhook is None:
        raise Problem(NOT_FOUND)
    return webhook


def shown(webhook: Webhook, *, secret: bool = False) -> WebhookItem:
    """A webhook as its owner sees it."""
    return WebhookItem(
        id=webhook.id,
        url=webhook.url,
        events=webhook.events,
        label=webhook.label,
        status=webhook.status,
        failing_since=webhook.failing_since,
        created_at=webhook.created_at,
        secret=secret_text(bytes(webhook.secret)) if secret else UNSET,
    )


def shown_delivery(row: WebhookDelivery) -> DeliveryItem:
    """A delivery as its owner sees it."""
    return DeliveryItem(
        id=row.id,
        event=row.event,
        game_id=row.game_id,
        version=row.version,
        created_at=row.at,
        status=row.status,
        attempts=row.attempts,
        attempted_at=row.tried_at,
        next_attempt_at=row.next_at,
        response_status=row.response_status,
        response_start=row.response_start,
        error=row.error,
    )
