"""Languages and media types by preference."""

import pytest

from games.api.language import wanted_language
from games.api.negotiation import wanted_media


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("ru", "ru"),
        ("ru-RU, en;q=0.9", "ru"),
        ("en;q=0.5, RU;q=0.7", "ru"),
        ("de, fr", "en"),
        ("de, ru;q=0.1", "ru"),
        ("ru;q=0", "en"),
        ("ru;q=x, en;q=0.1", "en"),
        ("*", "en"),
        (";;,,==", "en"),
        ("ru" * 500, "en"),
    ],
)
def test_languages(header: str, language: str) -> None:
    assert wanted_language(header) == language


def test_the_default_is_the_players_own() -> None:
    assert wanted_language("", "ru") == "ru"
    assert wanted_language("*", "ru") == "ru"
    assert wanted_language("en", "ru") == "en"


OFFERED = ("application/json", "text/plain")


@pytest.mark.parametrize(
    ("header", "media"),
    [
        ("", "application/json"),
        ("*/*", "application/json"),
        ("text/*", "text/plain"),
        ("text/plain, application/json;q=0.5", "text/plain"),
        ("text/plain;q=0.5, */*", "application/json"),
        ("application/json;q=0, */*", "text/plain"),
        ("application/json; indent=4", "application/json"),
        ("image/png", None),
        ("*/*;q=0", None),
        (",;q", None),
    ],
)
def test_media_types(header: str, media: str | None) -> None:
    assert wanted_media(header, OFFERED) == media
