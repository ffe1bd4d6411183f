"""Lists in pages, each with an opaque cursor to the next."""

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final, Generic, TypeVar

import msgspec
from django.http import HttpRequest
from django.utils.encoding import escape_uri_path

from games.api.problems import invalid

R = TypeVar("R")
T = TypeVar("T")
LARGEST_PAGE: Final = 100


class PageQuery(msgspec.Struct, frozen=True):
    """Parameters of every list; a larger `limit` is clipped."""

    cursor: Annotated[str, msgspec.Meta(description="`next` of the page before")] | None = None
    limit: Annotated[int, msgspec.Meta(ge=1, description="items a page, at most 100")] = 50

    @property
    def size(self) -> int:
        """How many items the page may have."""
        return min(self.limit, LARGEST_PAGE)


class Page(msgspec.Struct, Generic[T], frozen=True):
    """Some of a list's items, and the cursor to the rest, null at the end."""

    items: list[T]
    next: str | None


def encode_cursor(key: Any) -> str:
    """The sort key of a page's last item (any JSON value, ids and times too) as a cursor."""
    return urlsafe_b64encode(msgspec.json.encode(key)).rstrip(b"=").decode()


def decode_cursor(kind: type[T], cursor: str | None) -> T | None:
    """The key, as a `kind`, that `encode_cursor` was given; None for no cursor.

    Raises Problem request.invalid for what no cursor of this list can be.
    """
    if cursor is None:
        return None
    try:
        raw = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
        return msgspec.json.decode(raw, type=kind)
    except (msgspec.DecodeError, binascii.Error, ValueError, RecursionError):
        raise invalid("cursor", "is not a cursor of this list") from None


def make_page(
    rows: Sequence[R], size: int, *, key: Callable[[R], Any], show: Callable[[R], T]
) -> Page[T]:
    """At most `size` of `rows`, of which one more than `size` was fetched, as `show` shows them.

    `key` gives the sort key of a row, from which the next page goes on.
    """
    kept = rows[:size]
    cursor = encode_cursor(key(kept[-1])) if len(rows) > size else None
    return Page([show(row) for row in kept], cursor)


def link_next(request: HttpRequest, cursor: str) -> str:
    """The Link header's value for the next page, relative to this server."""
    query = request.GET.copy()
    query["cursor"] = cursor
    return f'<{escape_uri_path(request.path)}?{query.urlencode()}>; rel="next"'
