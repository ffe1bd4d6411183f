"""From the bytes of a request's body to plain values, or the reason why not."""

import json
from typing import Any, Final

import msgspec
from django.conf import settings
from django.http import HttpRequest

from games.api.operations import JSON
from games.api.problems import Problem

_NO_NUL: Final = "must not contain the NUL character"


def read_body(request: HttpRequest, takes: tuple[str, ...] = (JSON,)) -> bytes:
    """The body, once its size and media type are known to be right; empty when there is none.

    Raises Problem request.too_large, request.media_type, request.malformed (wrong encoding).
    """
    limit: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    if _announced(request) > limit:
        raise Problem("request.too_large", limit=limit)
    raw = _chunks(request, limit) if "CONTENT_LENGTH" not in request.META else request.body
    if raw:
        _refuse_media(request, takes)
    return raw


def decode_json(raw: bytes) -> Any:
    """The value of a JSON text in UTF-8; an empty text is an empty object.

    Refused as request.malformed: what RFC 8259 does not allow (NaN, lone surrogates, a byte order
    mark), nesting too deep to read, numbers out of range, and an object that has a name twice,
    since readers differ in which of the two they believe. Refused as request.invalid: NUL in a
    string, which the database cannot hold.
    """
    if not raw:
        return {}
    try:
        value = msgspec.json.decode(raw)
        json.loads(raw, object_pairs_hook=_without_twins)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise Problem("request.malformed", reason=_reason(error)) from None
    if b"\\u0000" in raw:
        _refuse_nul(value)
    return value


def _announced(request: HttpRequest) -> int:
    try:
        return int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        raise Problem("request.malformed", reason="Content-Length is not a number") from None


def _chunks(request: HttpRequest, limit: int) -> bytes:
    """A body of unannounced length, which Django would take for none."""
    if "HTTP_TRANSFER_ENCODING" not in request.META or "wsgi.input" not in request.META:
        return request.body
    raw: bytes = request.META["wsgi.input"].read(limit + 1)
    if len(raw) > limit:
        raise Problem("request.too_large", limit=limit)
    return raw


def decode_text(raw: bytes) -> str:
    """The text of a body. Raises Problem request.malformed."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        raise Problem("request.malformed", reason="the encoding must be UTF-8") from None


def _refuse_media(request: HttpRequest, takes: tuple[str, ...]) -> None:
    if request.content_type not in takes:
        raise Problem("request.media_type", accepted=takes)
    charset = (request.content_params or {}).get("charset", "utf-8")
    if charset.lower().strip('"') not in {"utf-8", "utf8"}:
        raise Problem("request.malformed", reason="the encoding must be UTF-8")


def _without_twins(pairs: list[tuple[str, Any]]) -> None:
    if len({name for name, _ in pairs}) != len(pairs):
        raise ValueError("an object has a name twice")


def _reason(error: Exception) -> str:
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)[:200]


def _refuse_nul(value: Any) -> None:
    waiting = [("", value)]
    while waiting:
        field, part = waiting.pop()
        if isinstance(part, str) and "\0" in part:
            raise Problem("request.invalid", errors=[{"field": field, "reason": _NO_NUL}])
        if isinstance(part, list):
            waiting.extend((f"{field}[{index}]", item) for index, item in enumerate(part))
        if isinstance(part, dict):
            if any("\0" in name for name in part):
                raise Problem("request.invalid", errors=[{"field": field, "reason": _NO_NUL}])
            waiting.extend((f"{field}.{name}".lstrip("."), item) for name, item in part.items())
