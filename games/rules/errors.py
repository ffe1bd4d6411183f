"""What the rules say no to: a move, a set of options, a position."""

from collections.abc import Mapping


class RulesError(Exception):
    """Any refusal by the rules."""


class Refusal(RulesError):
    """A well-formed move that the rules do not allow now.

    `code` is ``game.over`` or ``move.<reason>``, the reason from the rulebook's closed list.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class MalformedMove(RulesError):
    """A move that cannot be read, before any rule is looked at: field name to reason."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__(", ".join(f"{field}: {reason}" for field, reason in errors.items()))
        self.errors = dict(errors)


class InvalidOptions(RulesError):
    """Options that do not exist, have no such value, or do not go together: name to reason."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__(", ".join(f"{name}: {reason}" for name, reason in errors.items()))
        self.errors = dict(errors)


class UnknownRuleset(RulesError):
    """No ruleset has this id."""


class InvalidPosition(RulesError):
    """A position that no game could be in: field name to reason."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__(", ".join(f"{field}: {reason}" for field, reason in errors.items()))
        self.errors = dict(errors)


class InvalidRecord(RulesError):
    """A game record that cannot be read, or that the rules contradict.

    `token` is the tag or the move at fault; `line` counts from 1 and is 0 if the record was not
    read from a text. `code` is that of the Refusal, where the rules do not allow the move.
    """

    def __init__(self, line: int, token: str, reason: str, code: str | None = None) -> None:
        where = f"line {line}, {token}" if line else token
        super().__init__(f"{where}: {reason}")
        self.line = line
        self.token = token
        self.reason = reason
        self.code = code
