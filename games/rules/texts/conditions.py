"""When a sentence of the rulebook is in force: a family and conditions on its options."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from games.rules.texts.options import option_value

Scalar = bool | int | str
Condition = Literal["set", "unset"] | list[Scalar] | dict[str, int | list[int] | dict[str, int]]
Table = dict[str, Condition | str]


class Clause(msgspec.Struct, frozen=True):
    """A family (or "any") and what its options must be, by option name.

    A condition is the list of accepted values, "set" or "unset", or a map which the option has to
    contain.
    """

    family: Literal["bout", "shedding", "any"]
    options: dict[str, Condition]

    def holds(self, family: str, options: Mapping[str, object]) -> bool:
        """Whether the clause is met; an option missing from `options` has its default."""
        return self.family in (family, "any") and all(
            _meets(option_value(family, name, options), condition)
            for name, condition in self.options.items()
        )


def _meets(value: object, condition: Condition) -> bool:
    if isinstance(condition, str):
        return _is_set(value) == (condition == "set")
    if isinstance(condition, dict):
        return isinstance(value, Mapping) and all(
            _same(value.get(key), wanted) for key, wanted in condition.items()
        )
    values = value if isinstance(value, list | tuple) else (value,)
    return any(item in condition for item in values)


def _is_set(value: object) -> bool:
    return bool(value) and value != "none"


def _same(left: object, right: object) -> bool:
    """Equal as JSON: tuples are lists, structs are objects."""
    encode = msgspec.json.Encoder(order="sorted").encode
    return encode(left) == encode(right)
