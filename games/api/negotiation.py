"""Which of the media types on offer an Accept header wants."""

from functools import lru_cache
from typing import Final

from games.api.language import quality

_LONGEST_HEADER: Final = 500


def wanted_media(header: str, offered: tuple[str, ...]) -> str | None:
    """The best of `offered` (the first of equals), None when none will do.

    >>> wanted_media("text/html, application/*;q=0.9", ("application/json", "text/plain"))
    'application/json'
    """
    return _choose(header[:_LONGEST_HEADER], offered)


@lru_cache(maxsize=512)
def _choose(header: str, offered: tuple[str, ...]) -> str | None:
    if not header.strip():
        return offered[0]
    ranges = dict(_ranges(header))
    best, best_quality = None, 0.0
    for media in offered:
        wish = _wish(media, ranges)
        if wish > best_quality:
            best, best_quality = media, wish
    return best


def _ranges(header: str) -> list[tuple[str, float]]:
    parts = [part.partition(";") for part in header.lower().split(",")]
    return [(media.strip(), quality(parameters)) for media, _, parameters in parts]


def _wish(media: str, ranges: dict[str, float]) -> float:
    for pattern in (media, f"{media.partition('/')[0]}/*", "*/*"):
        if pattern in ranges:
            return ranges[pattern]
    return 0.0
