"""Two who want the same thing at the same moment."""

import pytest

from games.models import ApiToken, Player
from games.services.player_register import player_register
from tests.api.conftest import Api
from tests.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)
MANY = 8


def test_one_of_many_gets_the_name() -> None:
    names = ["ann", "ANN", "Ann", "aNN"] * (MANY // 4)
    answers = at_once([lambda name=name: Api().post("/players", {"name": name}) for name in names])
    codes = sorted(answer.status_code for answer in answers)
    assert codes == [201] + [409] * (MANY - 1)
    assert Player.objects.filter(name_key="ann").count() == ApiToken.objects.count() == 1


def test_one_of_many_renames_himself_to_the_name() -> None:
    tokens = [player_register(name=f"player{number}").token.text for number in range(MANY)]
    answers = at_once(
        [
            lambda token=token: Api(token).call("PATCH", "/players/me", {"name": "ann"})
            for token in tokens
        ]
    )
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * (MANY - 1)
    assert Player.objects.filter(name_key="ann").count() == 1


def test_an_account_is_deleted_once_whoever_else_changes_it() -> None:
    token = player_register(name="ann").token.text
    calls = [lambda: Api(token).call("DELETE", "/players/me")] * 4
    calls += [lambda: Api(token).call("PATCH", "/players/me", {"name": "anna"})] * 4
    statuses = {answer.status_code for answer in at_once(calls)}
    assert statuses <= {204, 200, 401, 404}
    assert Player.objects.filter(kind="human").get().name.startswith("deleted-")
    assert ApiToken.objects.count() == 0


def test_a_token_is_revoked_once() -> None:
    registered = player_register(name="ann", password="correct horse")
    body = {"name": "ann", "password": "correct horse"}
    other = Api().post("/tokens", body).json()["id"]
    client = Api(registered.token.text)
    answers = at_once([lambda: client.call("DELETE", f"/tokens/{other}")] * MANY)
    assert sorted(answer.status_code for answer in answers) == [204] + [404] * (MANY - 1)
