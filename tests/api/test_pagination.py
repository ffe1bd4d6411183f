"""Pages and their cursors."""

from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest
from django.http import HttpResponse, QueryDict
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from games.api.bodies import read_query
from games.api.pagination import PageQuery, decode_cursor, encode_cursor, link_next, make_page
from games.api.problems import Problem

Key = tuple[datetime, UUID]


def test_a_cursor_brings_the_key_back() -> None:
    key = (datetime(2026, 1, 1, 12, 30, 0, 123456, tzinfo=UTC), uuid4())
    cursor = encode_cursor(key)
    assert decode_cursor(Key, cursor) == key
    assert not set(cursor) & set("+/=")


@given(st.text(max_size=40))
def test_no_text_breaks_a_list(text: str) -> None:
    with pytest.raises(Problem) as caught:
        decode_cursor(Key, text)
    assert caught.value.members["errors"] == [
        {"field": "cursor", "reason": "is not a cursor of this list"}
    ]


def test_a_cursor_of_another_list() -> None:
    with pytest.raises(Problem):
        decode_cursor(Key, encode_cursor(uuid4()))


@pytest.mark.parametrize(
    ("rows", "items", "more"), [([], [], False), ([1, 2], [2, 4], False), ([1, 2, 3], [2, 4], True)]
)
def test_a_page_knows_whether_more_follows(rows: list[int], items: list[int], more: bool) -> None:
    page = make_page(rows, 2, key=lambda row: row, show=lambda row: 2 * row)
    assert page.items == items
    assert page.next == (encode_cursor(2) if more else None)


@pytest.mark.parametrize(("text", "size"), [("", 50), ("limit=7", 7), ("limit=5000", 100)])
def test_the_size_of_a_page_is_clipped(text: str, size: int) -> None:
    assert read_query(PageQuery, QueryDict(text)).size == size


@pytest.mark.parametrize(
    "text", ["limit=0", "limit=-1", "limit=x", "limit=1.5", "limit=", "cursor=%00"]
)
def test_bad_parameters(text: str) -> None:
    with pytest.raises(Problem) as caught:
        read_query(PageQuery, QueryDict(text))
    assert caught.value.code == "request.invalid"


def test_the_link_keeps_the_other_parameters() -> None:
    request = RequestFactory().get("/api/v1/games?status=open&cursor=old")
    assert link_next(request, "n-w") == '</api/v1/games?status=open&cursor=n-w>; rel="next"'


def test_a_russian_name_in_the_path_leaves_the_link_readable() -> None:
    request = RequestFactory().get("/api/v1/players/Аня/results")
    link = HttpResponse(headers={"Link": link_next(request, "n-w")})["Link"]
    assert link == '</api/v1/players/%D0%90%D0%BD%D1%8F/results?cursor=n-w>; rel="next"'
