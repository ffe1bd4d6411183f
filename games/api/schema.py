"""The operations as OpenAPI 3.1: drf-spectacular walks the addresses, the declarations speak."""

import re
from collections import defaultdict
from typing import Any, Final

import msgspec
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ComponentRegistry, ResolvedComponent

from games.api.examples import examples_of
from games.api.messages import problem_text
from games.api.operations import JSON, Access, Operation, operation_of
from games.api.problems import MEDIA_TYPE

_REF: Final = "#/components/schemas/{name}"
_HEADERS: Final = {
    "Idempotency-Key": "The same key and body again give the first answer again.",
    "If-Match": 'The version that is answered to: the game\'s ETag or `"v<version>"`.',
    "If-None-Match": "ETags already held; 304 when one is current.",
    "Last-Event-ID": "The last `seq` received; the stream goes on after it.",
}
_TEXT_SCHEMA: Final = {"schema": {"type": "string"}}
_RATE_HEADERS: Final = {
    "Retry-After": "Seconds to wait.",
    "RateLimit-Policy": "Bucket, quota `q` and window `w` in seconds.",
    "RateLimit": "Bucket, what remains `r` and seconds until it is full again `t`.",
}


class ProblemBody(msgspec.Struct, rename={"kind": "type"}):
    """RFC 9457 problem; `code` is stable, `title` and `detail` are in the language asked for."""

    kind: str
    title: str
    status: int
    code: str
    detail: str
    instance: str


class OperationSchema(AutoSchema):
    """Publishes what `@operation` declared of the method; other methods are not published."""

    def get_operation(
        self,
        path: str,
        path_regex: str,
        path_prefix: str,
        method: str,
        registry: ComponentRegistry,
    ) -> dict[str, Any] | None:
        """The OpenAPI operation object, its components put into `registry`."""
        handler = getattr(self.view, method.lower())
        promise = operation_of(handler)
        if promise is None:
            return None
        components = _Components(registry)
        return {
            "operationId": promise.name,
            **_prose(handler.__doc__ or ""),
            "tags": [path.removeprefix("/api/v1/").partition("/")[0]],
            "security": _security(promise),
            "parameters": [*_path_parameters(path), *_parameters(promise, components)],
            **_request_body(promise, components),
            "responses": _responses(promise, components),
        }


class _Components:
    """Types to schemas, named ones registered once."""

    def __init__(self, registry: ComponentRegistry) -> None:
        self._registry = registry

    def schema(self, kind: Any) -> dict[str, Any]:
        (schema,), parts = msgspec.json.schema_components([kind], ref_template=_REF)
        for name, part in parts.items():
            component = ResolvedComponent(name, ResolvedComponent.SCHEMA, part, name)
            self._registry.register_on_missing(component)
        return schema

    def properties(self, kind: type[msgspec.Struct]) -> dict[str, dict[str, Any]]:
        _, parts = msgspec.json.schema_components([kind], ref_template=_REF)
        found: dict[str, dict[str, Any]] = parts[kind.__name__]["properties"]
        return found


def _prose(text: str) -> dict[str, str]:
    summary, _, rest = re.sub(r"\n +", "\n", text.strip()).partition("\n\n")
    return {"summary": summary.removesuffix("."), **({"description": rest} if rest else {})}


def _security(promise: Operation) -> list[dict[str, list[str]]]:
    bearer: dict[str, list[str]] = {"bearer": [promise.scope] if promise.scope else []}
    needs: dict[Access, list[dict[str, list[str]]]]
    needs = {"ignored": [{}], "optional": [{}, bearer], "required": [bearer]}
    return needs[promise.access]


def _path_parameters(path: str) -> list[dict[str, Any]]:
    return [_parameter("path", name, {"type": "string"}) for name in re.findall(r"{(\w+)}", path)]


def _parameters(promise: Operation, components: _Components) -> list[dict[str, Any]]:
    query = components.properties(promise.query) if promise.query else {}
    headers = [(name, _HEADERS[name]) for name in promise.parameters]
    return [
        *(_parameter("query", name, schema) for name, schema in query.items()),
        *(_parameter("header", name, {"type": "string"}, text) for name, text in headers),
    ]


def _parameter(
    place: str, name: str, schema: dict[str, Any], description: str = ""
) -> dict[str, Any]:
    described = {"description": description} if description else {}
    return {"in": place, "name": name, "schema": schema, "required": place == "path", **described}


def _request_body(promise: Operation, components: _Components) -> dict[str, Any]:
    if promise.body is None:
        return {}
    content = {"schema": components.schema(promise.body), **examples_of(promise.name, "request")}
    bodies = {media: content if media == JSON else _TEXT_SCHEMA for media in promise.takes}
    return {"requestBody": {"required": True, "content": bodies}}


def _responses(promise: Operation, components: _Components) -> dict[str, Any]:
    meanings = {status: {"description": text} for status, text in promise.also.items()}
    answers = {promise.status: _answer(promise, components), **meanings}
    by_status: dict[int, list[str]] = defaultdict(list)
    for code in promise.problems():
        by_status[problem_text(code, "en").status].append(code)
    answers |= {status: _refusal(codes, components) for status, codes in by_status.items()}
    if 429 in answers:
        answers[429]["headers"] = {name: _header(text) for name, text in _RATE_HEADERS.items()}
    return {str(status): answers[status] for status in sorted(answers)}


def _answer(promise: Operation, components: _Components) -> dict[str, Any]:
    if promise.answer is None:
        return {"description": "Done; no body."}
    schema = components.schema(promise.answer)
    content = {"schema": schema, **examples_of(promise.name, "answer")}
    return {
        "description": "Success.",
        "content": {media: content if media == JSON else {} for media in promise.produces},
    }


def _refusal(codes: list[str], components: _Components) -> dict[str, Any]:
    one_of_these = {"type": "object", "properties": {"code": {"enum": codes}}}
    schema = {"allOf": [components.schema(ProblemBody), one_of_these]}
    lines = [f"- `{code}`: {problem_text(code, 'en').title}" for code in codes]
    return {"description": "\n".join(lines), "content": {MEDIA_TYPE: {"schema": schema}}}


def _header(text: str) -> dict[str, Any]:
    return {"description": text, "schema": {"type": "string"}}
