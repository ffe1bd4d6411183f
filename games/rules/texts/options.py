"""What every option means to a player, and its default."""

from collections.abc import Mapping
from functools import lru_cache

import msgspec

from games.rules.texts.bilingual import Bilingual, read_toml

Default = bool | int | str | list[str] | dict[str, int | list[int] | dict[str, int]] | None


class OptionText(Bilingual, frozen=True, kw_only=True):
    """The meaning of an option in one sentence, and the value it has where none is chosen."""

    default: Default = None


def option_text(family: str, name: str) -> OptionText:
    """The text of the option `name` of the family "bout" or "shedding"; KeyError if unknown."""
    return _options()[family][name]


def option_names(family: str) -> tuple[str, ...]:
    """The options of the family in rulebook order; KeyError for an unknown family."""
    return tuple(_options()[family])


def option_value(family: str, name: str, options: Mapping[str, object]) -> object:
    """What `options` says of an option, or else its default; None for one the family lacks."""
    if name in options:
        return options[name]
    known = _options()[family]
    return known[name].default if name in known else None


@lru_cache(maxsize=1)
def _options() -> dict[str, dict[str, OptionText]]:
    return msgspec.convert(read_toml("options.toml"), dict[str, dict[str, OptionText]])
