"""The name of an account: checked, and taken by at most one."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import IntegrityError, transaction

from games.models.player_names import name_fault, name_tidy
from games.services.errors import ServiceError, field_error


def checked_name(text: str) -> str:
    """The name as stored; raises ServiceError (request.invalid) for one that cannot be."""
    name = name_tidy(text)
    fault = name_fault(name)
    if fault:
        raise field_error("name", fault)
    return name


@contextmanager
def taking_name() -> Iterator[None]:
    """A transaction in which a name is written; somebody else's name is player.name_taken.

    Two who want one name at the same moment are told apart by the unique key alone.
    """
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        diagnosis = getattr(error.__cause__, "diag", None)
        if getattr(diagnosis, "constraint_name", None) != "player_name_key_unique":
            raise
        raise ServiceError("player.name_taken") from None
