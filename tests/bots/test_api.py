"""GET /bots."""

import pytest
from django.test import Client

from bots.brains import brain_list
from games.models import Player
from games.services.game_create import Table, game_create

FIELDS = {
    *("id", "kind", "title", "families", "strength", "strengths", "version", "accepts", "playing"),
}


@pytest.mark.django_db
def test_lists_every_brain_without_a_token() -> None:
    response = Client().get("/api/v1/bots")
    assert response.status_code == 200
    page = response.json()
    assert page["next"] is None
    assert [item["id"] for item in page["items"]] == [entry.name for entry in brain_list()]
    assert all(set(item) == FIELDS for item in page["items"])
    strengths = {item["id"]: item["strength"] for item in page["items"]}
    assert strengths["random"] == 1000 < strengths["greedy"]


@pytest.mark.django_db
def test_titles_are_in_the_language_asked_for() -> None:
    items = Client().get("/api/v1/bots", headers={"accept-language": "ru"}).json()["items"]
    titles = {item["id"]: item["title"] for item in items}
    assert titles["random"].startswith("Случайный")


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("unsent")
def test_seats_of_one_brain_share_its_account() -> None:
    creator = Player.objects.create(name="ann", name_key="ann")
    table = Table(ruleset="throw_in", seats=3, bots=("greedy", "greedy"))
    head = game_create(creator=creator.id, kind="human", table=table).head
    names = [(sitter.name, sitter.kind) for sitter in head.sitters if sitter]
    assert names == [("ann", "human"), ("greedy", "bot"), ("greedy", "bot")]


@pytest.mark.django_db(transaction=True)
def test_the_house_bots_have_their_names_from_the_start() -> None:
    kinds = dict(Player.objects.filter(name__in=["greedy", "random"]).values_list("name", "kind"))
    assert kinds == {"greedy": "bot", "random": "bot"}
