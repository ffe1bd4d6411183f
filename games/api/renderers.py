"""From values to the bytes of an answer."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from rest_framework.response import Response

from games.api.operations import JSON

_encode: Final = msgspec.json.Encoder().encode


def json_bytes(value: Any) -> bytes:
    """JSON of Structs, ids, times (RFC 3339) and plain values."""
    return _encode(value)


def json_response(
    value: Any, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """An answer with `value` as JSON; bytes go out as they are."""
    return respond(value if isinstance(value, bytes) else _encode(value), status, JSON, headers)


def respond(
    content: bytes, status: int, media: str, headers: Mapping[str, str] | None = None
) -> Response:
    """An answer that is rendered already; without content it has no media type."""
    response = Response(status=status)
    response.content = content
    if content:
        response["Content-Type"] = media
        response["Content-Length"] = str(len(content))
    else:
        del response["Content-Type"]
    for name, value in (headers or {}).items():
        response[name] = value
    return response
