"""From plain values to the Struct that an operation expects, every bad field named."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any, Final, TypeVar

import msgspec
from django.http import QueryDict

from games.api.problems import MOST_FAULTS, Problem, invalid

S = TypeVar("S", bound=msgspec.Struct)
_PLACE: Final = re.compile(r"^(?P<reason>.*?)(?: - at `\$(?P<path>.*)`)?$", re.DOTALL)


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of request bodies: a field that is not declared is refused."""

    def given(self) -> dict[str, Any]:
        """The fields that are not UNSET."""
        fields = msgspec.structs.asdict(self)
        return {name: value for name, value in fields.items() if value is not msgspec.UNSET}


class Nothing(Body, frozen=True):
    """A body in which nothing can be chosen: an empty object, or none."""


def read_struct(kind: type[S], value: Any) -> S:
    """`value`, as it came out of JSON, as a `kind`.

    Raises Problem request.invalid with one of `errors` for each field missing, unknown or wrong.
    """
    return _read(kind, value, strict=True)


def read_query(kind: type[S], query: QueryDict, *, exact: bool = False) -> S:
    """The parameters of a query string that `kind` declares; others are ignored, unless `exact`.

    Raises Problem request.invalid likewise.
    """
    if exact and (unknown := sorted(query.keys() - _names(kind))):
        faults = [{"field": name[:100], "reason": "unknown parameter"} for name in unknown]
        raise Problem("request.invalid", errors=faults[:MOST_FAULTS])
    value = {name: query[name] for name in _names(kind) if name in query}
    for name, text in value.items():
        if "\0" in text:
            raise invalid(name, "must not contain the NUL character")
    return _read(kind, value, strict=False)


@cache
def _names(kind: type[msgspec.Struct]) -> frozenset[str]:
    return frozenset(field.encode_name for field in msgspec.structs.fields(kind))


def _read(kind: type[S], value: Any, *, strict: bool) -> S:
    try:
        return msgspec.convert(value, kind, strict=strict)
    except msgspec.ValidationError as error:
        found = islice(_faults(kind, value, strict=strict), MOST_FAULTS)
        faults = list(found) or [_fault("", error)]
        raise Problem("request.invalid", errors=faults) from None


def _faults(kind: type[msgspec.Struct], value: Any, *, strict: bool) -> Iterator[dict[str, str]]:
    if not isinstance(value, dict):
        return
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    for name in sorted(value.keys() - fields.keys()):
        yield {"field": name[:100], "reason": "unknown field"}
    for name, field in fields.items():
        if name not in value:
            if field.required:
                yield {"field": name, "reason": "required"}
            continue
        try:
            msgspec.convert(value[name], field.type, strict=strict)
        except msgspec.ValidationError as error:
            yield _fault(name, error)


def _fault(field: str, error: msgspec.ValidationError) -> dict[str, str]:
    found = _PLACE.match(str(error))
    reason, path = (found["reason"], found["path"] or "") if found else (str(error), "")
    return {"field": f"{field}{path}".lstrip("."), "reason": reason}
