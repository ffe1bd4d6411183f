"""Limits, against a real Valkey."""

import time
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest
from django.conf import settings as configured
from pytest_django import Settings

from games.api import throttling
from games.api.buckets import Buckets
from games.services.player_register import Registered
from tests.api.conftest import Api, refusal


@pytest.fixture
def key() -> str:
    """A bucket that nobody has used."""
    return f"durak:test:{uuid4()}"


@pytest.fixture
def buckets() -> Buckets:
    """The buckets of one process."""
    return Buckets(configured.REDIS_URL)


@pytest.fixture
def few(settings: Settings) -> str:
    """Three requests a minute in every bucket; the address of a new client."""
    settings.API_LIMITS = dict.fromkeys(settings.API_LIMITS, 3)
    return f"10.{uuid4().int % 250}.{uuid4().int % 250}.{uuid4().int % 250}"


def test_a_bucket_gives_what_it_holds_and_no_more(buckets: Buckets, key: str) -> None:
    grants = [buckets.take(key, 5) for _ in range(7)]
    assert [grant.allowed for grant in grants if grant] == [True] * 5 + [False] * 2
    assert [grant.remaining for grant in grants if grant] == [4, 3, 2, 1, 0, 0, 0]


def test_a_bucket_fills_up_again(buckets: Buckets, key: str) -> None:
    limit = 600
    while (grant := buckets.take(key, limit)) and grant.allowed:
        pass
    assert grant
    assert 0 < grant.wait <= 0.2
    time.sleep(grant.wait + 0.01)
    after = buckets.take(key, limit)
    assert after
    assert after.allowed


def test_processes_and_threads_share_a_bucket(key: str) -> None:
    processes = [Buckets(configured.REDIS_URL) for _ in range(3)]

    def spend(number: int) -> int:
        grants = (processes[number % 3].take(key, 1000) for _ in range(300))
        return sum(1 for grant in grants if grant and grant.allowed)

    with ThreadPoolExecutor(6) as pool:
        spent = sum(pool.map(spend, range(6)))
    assert 950 <= spent <= 1100


def test_most_of_a_large_bucket_costs_no_round_trip(buckets: Buckets, key: str) -> None:
    buckets.take(key, 60_000)
    started = time.perf_counter()
    for _ in range(299):
        buckets.take(key, 60_000)
    assert time.perf_counter() - started < 0.1


def test_without_redis_everybody_passes() -> None:
    nowhere = Buckets("redis://127.0.0.1:1/0")
    assert nowhere.take("any", 1) is None
    started = time.perf_counter()
    assert nowhere.take("any", 1) is None
    assert time.perf_counter() - started < 0.05


def test_a_token_given_back_can_be_taken_again(buckets: Buckets, key: str) -> None:
    for _ in range(10):
        grant = buckets.take(key, 1)
        assert grant
        assert grant.allowed
        buckets.give_back(key)


def test_too_many_requests(few: str) -> None:
    client = Api()
    for left in (2, 1, 0):
        answer = client.get("/rulesets", x_forwarded_for=few)
        assert answer["RateLimit-Policy"] == '"default";q=3;w=60'
        assert answer["RateLimit"].startswith(f'"default";r={left};t=')
    refused = client.get("/rulesets", x_forwarded_for=few)
    assert refusal(refused, 429, "rate.limited")["bucket"] == "default"
    assert 1 <= int(refused["Retry-After"]) <= 20
    assert refused["RateLimit"].startswith('"default";r=0;t=')
    assert client.get("/limits", x_forwarded_for=few).status_code == 200
    assert client.get("/rulesets", x_forwarded_for="10.251.0.1").status_code == 200


def test_what_a_client_says_of_its_address_is_not_believed(few: str) -> None:
    answers = [
        Api().get("/rulesets", x_forwarded_for=f"10.0.0.{number}, {few}").status_code
        for number in range(4)
    ]
    assert answers == [200, 200, 200, 429]


@pytest.mark.django_db
def test_wrong_passwords_are_limited_by_address_and_name(
    ann: Registered, few: str, settings: Settings
) -> None:
    settings.API_LIMITS = settings.API_LIMITS | {"default": 1000}

    def signs_in(password: str, address: str = few) -> int:
        body = {"name": "ann", "password": password}
        status: int = Api().post("/tokens", body, x_forwarded_for=address).status_code
        return status

    assert [signs_in("correct horse") for _ in range(5)] == [201] * 5
    assert [signs_in("wrong horse") for _ in range(4)] == [401, 401, 401, 429]
    assert signs_in("correct horse") == 429
    assert signs_in("correct horse", "10.250.250.250") == 201


@pytest.mark.django_db
def test_guessing_names_is_limited_by_address(few: str, settings: Settings) -> None:
    settings.API_LIMITS = settings.API_LIMITS | {"default": 1000}
    codes = [
        Api()
        .post("/tokens", {"name": f"nobody-{number}", "password": "x"}, x_forwarded_for=few)
        .status_code
        for number in range(4)
    ]
    assert codes == [401, 401, 401, 429]


@pytest.mark.django_db
def test_a_player_has_a_bucket_of_his_own_wherever_he_is(as_ann: Api, few: str) -> None:
    codes = [
        as_ann.get("/players/me", x_forwarded_for=f"10.9.9.{number}").status_code
        for number in range(4)
    ]
    assert codes == [200, 200, 200, 429]


@pytest.mark.django_db
def test_guessing_tokens_is_limited(few: str) -> None:
    codes = [
        Api(f"dk_{number:043}").get("/players/me", x_forwarded_for=few).status_code
        for number in range(4)
    ]
    assert codes == [401, 401, 401, 429]


def test_the_limits_are_listed_and_large_enough() -> None:
    listed = Api().get("/limits").json()
    sizes = {item["bucket"]: item["limit"] for item in listed["items"]}
    assert sizes.keys() == throttling.APPLIES.keys()
    assert all(item["window"] == 60 for item in listed["items"])
    assert sizes["registration"] >= 300
    assert sizes["referee"] >= 3_000
    assert min(sizes["default"], sizes["own_game_reads"], sizes["own_game_moves"]) >= 30_000
    assert listed["max_referee_moves"] == 500
