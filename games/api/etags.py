"""Entity tags of games: version, viewer and language, nothing of what is hidden."""

import re
from typing import Final

from django.http import HttpRequest

from games.api.problems import Problem

_VERSION: Final = re.compile(r'(?:W/)?(?:"v([0-9]{1,9})(?:\.[^"]*)?"|v([0-9]{1,9})(?:\.[^",\s]*)?)')


def make_etag(version: int, viewer: str, language: str) -> str:
    """The tag of a view, in quotes.

    >>> make_etag(37, "s0", "en")
    '"v37.s0.en"'
    """
    return f'"v{version}.{viewer}.{language}"'


def parse_if_match(header: str) -> int:
    """The version that an If-Match header names: a whole tag, `"v37"`, `v37`, each also weak.

    Raises Problem request.invalid for anything else.
    """
    found = _VERSION.fullmatch(header.strip())
    if found is None:
        reason = 'must be the ETag of the game or "v<version>"'
        raise Problem("request.invalid", errors=[{"field": "If-Match", "reason": reason}])
    return int(found[1] or found[2])


def not_modified(request: HttpRequest, etag: str) -> bool:
    """Whether If-None-Match of the request covers `etag`: a 304 is due."""
    header = request.META.get("HTTP_IF_NONE_MATCH")
    if header is None:
        return False
    tags = [tag.strip().removeprefix("W/") for tag in header.split(",")]
    return etag in tags or tags == ["*"]
