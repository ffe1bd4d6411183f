"""Rulesets over HTTP."""

import pytest

from games.rules.rulesets import registry
from tests.api.conftest import Api, refusal


def test_every_ruleset_is_listed(anybody: Api) -> None:
    listed = anybody.get("/rulesets").json()
    assert listed["next"] is None
    assert [item["id"] for item in listed["items"]] == list(registry.ruleset_ids())
    for item in listed["items"]:
        assert item.keys() >= {"family", "title", "aliases", "players", "options", "sha256"}
        assert 2 <= item["players"]["min"] <= item["players"]["max"]


@pytest.mark.parametrize("ruleset_id", registry.ruleset_ids())
def test_one_ruleset_explains_itself(anybody: Api, ruleset_id: str) -> None:
    found = anybody.get(f"/rulesets/{ruleset_id}").json()
    assert found["sha256"] == registry.ruleset(ruleset_id).sha256
    schema = found["options_schema"]
    assert schema["properties"].keys() == found["options"].keys()
    for name, dial in schema["properties"].items():
        assert dial["description"]
        assert dial["default"] == found["options"][name]
    assert all(item.keys() == {"id", "en", "ru"} and item["ru"] for item in found["sentences"])
    assert found["sentences"]


def test_titles_are_in_the_language_asked_for(anybody: Api) -> None:
    titles = {Api(language=one).get("/rulesets/throw_in").json()["title"] for one in ("en", "ru")}
    assert len(titles) == 2


@pytest.mark.parametrize("ruleset_id", ["poker", "%00", "THROW_IN", "throw_in.throw_in"])
def test_a_ruleset_that_is_not(anybody: Api, ruleset_id: str) -> None:
    refusal(anybody.get(f"/rulesets/{ruleset_id}"), 404, "ruleset.not_found")


@pytest.mark.parametrize("path", ["/rulesets", "/rulesets/simple"])
def test_what_the_client_holds_is_not_sent_again(anybody: Api, path: str) -> None:
    first = anybody.get(path)
    again = anybody.get(path, if_none_match=first["ETag"])
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    other = anybody.get(path, if_none_match=first["ETag"], accept_language="ru")
    assert other.status_code == 200
