"""What a service raises when it refuses."""

from games.rules.rulesets.schema import Rules


class ServiceError(Exception):
    """A refusal with a stable code of the API; `members` are shown to the client beside it.

    >>> error = ServiceError("move.stale_version", version=37)
    >>> error.code, error.members
    ('move.stale_version', {'version': 37})
    """

    def __init__(self, code: str, **members: object) -> None:
        super().__init__(code)
        self.code = code
        self.members = members


def field_error(field: str, reason: str) -> ServiceError:
    """``request.invalid`` for one field of the request's body."""
    return ServiceError("request.invalid", errors=[{"field": field, "reason": reason}])


class MoveRefused(ServiceError):
    """A move that the rules do not allow now; `version` is the version it was judged at.

    `family` and `rules` say which sentences of the rulebook apply, `move` is the type of the move,
    `caught` whether its seat may not throw in any more in this bout (D-11).
    """

    def __init__(
        self,
        code: str,
        *,
        version: int,
        family: str,
        rules: Rules,
        move: str | None = None,
        caught: bool = False,
    ) -> None:
        super().__init__(code, version=version)
        self.family = family
        self.rules = rules
        self.move = move
        self.caught = caught
