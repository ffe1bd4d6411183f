"""What an operation promises, declared once beside its method: access, limits, shapes, codes.

The same declaration is obeyed at run time (`games.api.base`) and published (`games.api.schema`).
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, TypeVar

import msgspec

Access = Literal["ignored", "optional", "required"]
View = TypeVar("View", bound=Callable[..., Any])
JSON: Final = "application/json"
EVENT_STREAM: Final = "text/event-stream"
LINES: Final = "application/x-ndjson"
TEXT: Final = "text/plain"

_ALWAYS: Final = ("request.not_acceptable", "server.error", "server.unavailable")
_BODY: Final = (
    "request.malformed",
    "request.invalid",
    "request.too_large",
    "request.media_type",
)
_ACCESS: Final[Mapping[Access, tuple[str, ...]]] = {
    "ignored": (),
    "optional": ("auth.invalid", "auth.expired"),
    "required": ("auth.missing", "auth.invalid", "auth.expired"),
}


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    """One method of one address.

    `access`: whether a token is not looked at, used when it comes, or demanded; `scope` is what a
    token must allow. `bucket` is taken from before the method runs (None: never, or the method
    charges itself). `answer` is what comes with `status`, `produces` its media types, the first
    the default; `takes` are those of the body. `codes` are the problems beyond those that follow
    from the rest; `parameters` the names of request headers it reads, `also` further statuses with
    their meaning.
    """

    name: str
    access: Access = "required"
    scope: str | None = None
    bucket: str | None = "default"
    body: Any = None
    query: type[msgspec.Struct] | None = None
    answer: Any = None
    status: int = 200
    produces: tuple[str, ...] = (JSON,)
    takes: tuple[str, ...] = (JSON,)
    codes: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()
    also: Mapping[int, str] = {}

    def problems(self) -> list[str]:
        """Every code that the operation can answer with, sorted."""
        codes = {*_ALWAYS, *_ACCESS[self.access], *self.codes}
        codes.update(_BODY if self.body is not None else ())
        codes.update(("request.invalid",) if self.query or self.parameters else ())
        codes.update(("auth.scope",) if self.scope else ())
        codes.update(("rate.limited",) if self.bucket else ())
        return sorted(codes)


def operation(name: str, **declared: Any) -> Callable[[View], View]:
    """Declare a view's method as an operation; the keywords are the fields of Operation.

    >>> @operation("ping", access="ignored", answer=dict[str, str])
    ... def get(self, request): ...
    >>> get.operation.problems()[-1]
    'server.unavailable'
    """
    promise = Operation(name=name, **declared)

    def declare(method: View) -> View:
        vars(method)["operation"] = promise
        return method

    return declare


def operation_of(method: object) -> Operation | None:
    """What was declared of a view's method."""
    promise: Operation | None = getattr(method, "operation", None)
    return promise
