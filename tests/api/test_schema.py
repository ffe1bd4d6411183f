"""What the schema says and what the server does."""

import re
from typing import Any

import jsonschema
import pytest
from django.core.management import call_command
from django.urls import URLPattern

from games.api.messages import problem_codes, problem_text
from games.api.operations import operation_of
from games.api.urls import urlpatterns
from tests.api.conftest import Api


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    """The published schema."""
    published: dict[str, Any] = Api().get("/schema").json()
    return published


def operations(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """Every operation of the schema."""
    return [operation for methods in schema["paths"].values() for operation in methods.values()]


def test_the_schema_is_valid_without_a_warning(tmp_path: Any) -> None:
    file = tmp_path / "openapi.yaml"
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(file))
    assert file.read_text().startswith("openapi: 3.1")


def test_every_method_of_every_address_is_published(schema: dict[str, Any]) -> None:
    for pattern in urlpatterns:
        view = (
            getattr(pattern.callback, "view_class", None)
            if isinstance(pattern, URLPattern)
            else None
        )
        if view is None:
            continue
        path = "/api/v1/" + re.sub(r"<\w+:(\w+)>", r"{\1}", str(pattern.pattern))
        methods = {"get", "post", "put", "patch", "delete"} & set(dir(view))
        assert schema["paths"][path].keys() == methods
        assert all(operation_of(getattr(view, method)) for method in methods)


def test_names_are_used_once(schema: dict[str, Any]) -> None:
    names = [operation["operationId"] for operation in operations(schema)]
    assert len(names) == len(set(names))


def test_every_operation_is_explained(schema: dict[str, Any]) -> None:
    assert all(operation["summary"] for operation in operations(schema))


def test_every_reference_leads_somewhere(schema: dict[str, Any]) -> None:
    names = set(re.findall(r"'#/components/schemas/([^']+)'", str(schema)))
    assert names <= schema["components"]["schemas"].keys()


def test_codes_stand_under_their_status(schema: dict[str, Any]) -> None:
    for operation in operations(schema):
        for status, answer in operation["responses"].items():
            for content in answer.get("content", {}).values():
                parts = content.get("schema", {}).get("allOf", [{}])
                codes = parts[-1].get("properties", {}).get("code", {}).get("enum", [])
                assert all(problem_text(code, "en").status == int(status) for code in codes)
                assert set(codes) <= set(problem_codes())


def test_the_schema_itself_is_described_by_openapi(schema: dict[str, Any]) -> None:
    assert schema["openapi"].startswith("3.1")
    assert schema["components"]["securitySchemes"]["bearer"]["scheme"] == "bearer"


@pytest.mark.parametrize("path", ["/limits", "/rulesets", "/rulesets/simple", "/problems"])
def test_answers_are_as_published(schema: dict[str, Any], path: str) -> None:
    template = re.sub("/rulesets/.*", "/rulesets/{ruleset_id}", path)
    answer = schema["paths"][f"/api/v1{template}"]["get"]["responses"]["200"]
    shape = answer["content"]["application/json"]["schema"]
    jsonschema.validate(Api().get(path).json(), {**shape, "components": schema["components"]})


def test_the_docs_page_needs_no_network() -> None:
    page = Api().get("/docs", accept="text/html,application/xhtml+xml,*/*;q=0.8")
    assert page["Content-Type"].startswith("text/html")
    text = page.content.decode()
    assert "/api/v1/schema" in text
    assert not re.findall(r"(?:src|href)=\"(?:https?:)?//", text)
