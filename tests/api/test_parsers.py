"""Bodies that cannot be read."""

from io import BytesIO

import msgspec
import pytest
from django.core.handlers.wsgi import WSGIRequest
from django.test import RequestFactory
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from pytest_django import Settings

from games.api.parsers import decode_json
from games.api.players import PlayersView
from games.api.problems import Problem
from tests.api.conftest import Api, bad_fields, json, refusal

JSON = "application/json"


@pytest.mark.parametrize(
    "raw",
    [
        b"{",
        b"nul",
        b'{"name": NaN}',
        b'{"name": Infinity}',
        b'{"name": 1e999}',
        b'{"name": ' + b"9" * 5000 + b"}",
        b'{"name": "\xff"}',
        b'{"name": "\\ud800"}',
        b'{"name": "\\udc00x"}',
        b'{"name": "a\x00b"}',
        b"\xef\xbb\xbf{}",
        '{"name": "ann"}'.encode("utf-16"),
        b'{"name": "ann"} {}',
        b'{"name": "ann",}',
        b'{"name": "ann", "name": "bob"}',
        b'{"name": {"a": 1, "a": 2}}',
        b"[" * 20_000 + b"]" * 20_000,
        b'{"name":' * 5_000,
    ],
)
def test_what_is_no_json(anybody: Api, raw: bytes) -> None:
    problem = refusal(anybody.post("/players", raw), 400, "request.malformed")
    assert problem["reason"]


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        (b'{"name": "a\\u0000b"}', "name"),
        (b'{"a": [{"b": "\\u0000"}]}', "a[0].b"),
        (b'{"x": {"\\u0000": 1}}', "x"),
    ],
)
def test_nul_is_refused_where_it_stands(anybody: Api, raw: bytes, field: str) -> None:
    assert bad_fields(anybody.post("/players", raw)) == {
        field: "must not contain the NUL character"
    }


def test_a_surrogate_pair_is_one_character() -> None:
    assert decode_json(b'"\\ud83d\\ude00"') == "\N{GRINNING FACE}"


@pytest.mark.parametrize("raw", [b"[]", b'"ann"', b"7", b"null", b"true"])
def test_a_body_that_is_no_object(anybody: Api, raw: bytes) -> None:
    assert bad_fields(anybody.post("/players", raw)).keys() == {""}


@pytest.mark.parametrize(
    "kind",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""],
)
def test_a_body_of_another_kind(anybody: Api, kind: str) -> None:
    answer = anybody.post("/players", b'{"name": "ann"}', content_type=kind)
    assert refusal(answer, 415, "request.media_type")["accepted"] == [JSON]


def test_a_body_in_another_encoding(anybody: Api) -> None:
    body = '{"name": "аня"}'.encode("cp1251")
    answer = anybody.post("/players", body, content_type=f"{JSON}; charset=windows-1251")
    refusal(answer, 400, "request.malformed")


@pytest.mark.django_db
def test_a_charset_that_says_utf_8(anybody: Api) -> None:
    answer = anybody.post(
        "/players", json({"name": "ann"}), content_type=f'{JSON}; charset="UTF-8"'
    )
    assert answer.status_code == 201


def test_a_body_too_large(anybody: Api, settings: Settings) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100
    answer = anybody.post("/players", b" " * 101)
    assert refusal(answer, 413, "request.too_large")["limit"] == 100


@pytest.mark.parametrize(
    ("limit", "status", "code"), [(100, 400, "request.invalid"), (5, 413, "request.too_large")]
)
def test_a_body_in_chunks(settings: Settings, limit: int, status: int, code: str) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = limit
    environ = RequestFactory().generic("POST", "/api/v1/players", content_type=JSON).environ
    environ |= {
        "CONTENT_TYPE": JSON,
        "HTTP_TRANSFER_ENCODING": "chunked",
        "wsgi.input": BytesIO(b'{"nom": "ann"}'),
    }
    answer = PlayersView.as_view()(WSGIRequest(environ))
    assert (answer.status_code, msgspec.json.decode(answer.content)["code"]) == (status, code)
    assert (b"nom" in answer.content) == (code == "request.invalid")


def test_no_body_is_an_empty_object(anybody: Api) -> None:
    assert bad_fields(anybody.post("/players")) == {"name": "required"}


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
fields = st.sampled_from(["name", "password", "kind", "language", "scopes", "label", "expires_in"])


@pytest.mark.django_db
@hypothesis_settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.sampled_from(["/players", "/tokens"]), st.dictionaries(fields, values) | values)
def test_no_body_breaks_the_server(anybody: Api, path: str, body: object) -> None:
    raw = json(body)
    assert anybody.post(path, raw).status_code in {201, 400, 401, 409}


@hypothesis_settings(max_examples=200, deadline=None)
@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode()))
def test_bytes_are_read_or_refused(raw: bytes) -> None:
    assert outcome(raw) in {"read", "request.malformed", "request.invalid"}


def outcome(raw: bytes) -> str:
    """`read`, or the code of the refusal."""
    try:
        decode_json(raw)
    except Problem as problem:
        return problem.code
    return "read"
