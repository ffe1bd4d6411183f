"""Entity tags of games."""

import pytest
from django.test import RequestFactory

from games.api.etags import make_etag, not_modified, parse_if_match
from games.api.problems import Problem


@pytest.mark.parametrize(
    "header",
    [
        '"v37"',
        "v37",
        ' "v37" ',
        'W/"v37"',
        'W/"v37.s0.en"',
        '"v37.s0.en"',
        "v37.w.ru",
        make_etag(37, "s0", "en"),
    ],
)
def test_a_version_is_read_from_every_form(header: str) -> None:
    assert parse_if_match(header) == 37


@pytest.mark.parametrize(
    "header",
    [
        "",
        "*",
        "37",
        '"37"',
        "v",
        "v-1",
        '"v1',
        'v1"',
        '"v1", "v2"',
        "v" + "9" * 30,
        "v٣",
        "W/v1x",
    ],
)
def test_anything_else_is_refused(header: str) -> None:
    with pytest.raises(Problem) as caught:
        parse_if_match(header)
    assert caught.value.code == "request.invalid"
    assert caught.value.members["errors"][0]["field"] == "If-Match"


@pytest.mark.parametrize(
    ("header", "held"),
    [
        ('"v37.s0.en"', True),
        ('W/"v37.s0.en"', True),
        ('"v36.s0.en", "v37.s0.en"', True),
        ("*", True),
        ('"v37.s1.en"', False),
        ('"v37"', False),
        ("", False),
        (None, False),
    ],
)
def test_a_view_that_the_client_holds(header: str | None, held: bool) -> None:
    headers = {} if header is None else {"if-none-match": header}
    request = RequestFactory().get("/", headers=headers)
    assert not_modified(request, make_etag(37, "s0", "en")) is held
