"""Ids in addresses."""

from uuid import UUID

from games.api.problems import Problem


def parse_id(text: str, code: str) -> UUID:
    """The id as it is written in JSON; Problem `code` for anything else, as for an unknown one."""
    try:
        found = UUID(text)
    except ValueError:
        raise Problem(code) from None
    if str(found) != text.lower():
        raise Problem(code)
    return found
