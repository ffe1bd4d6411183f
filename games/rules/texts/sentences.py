"""The rulebook's sentences: what each says to a player, and in which rulesets it is in force."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

import msgspec

from games.rules.texts.bilingual import Bilingual, read_toml
from games.rules.texts.conditions import Clause, Table

_FILES: Final = ("shedding.toml", "bout.toml", "readings.toml", "decisions.toml")
_GROUPS: Final = ("A", "B", "C1", "C2", "C3", "C4", "C5", "K", "G", "D")
_ID: Final = re.compile(r"(A|B|C[1-5]|K|G|D)-?(V?)(\d+|order)([a-c]?)")


class Sentence(Bilingual, frozen=True, kw_only=True):
    """One sentence under its rulebook id; it is in force where any of the clauses holds."""

    id: str
    applies: tuple[Clause, ...]

    def holds(self, family: str, options: Mapping[str, object]) -> bool:
        """Whether the sentence is in force under these options of the family."""
        return any(clause.holds(family, options) for clause in self.applies)


class _Entry(Bilingual, frozen=True, kw_only=True):
    """A sentence as it stands in its file."""

    applies: Table | list[Table]


def sentence(sentence_id: str) -> Sentence:
    """The sentence with this id, such as ``B-24``, ``K8`` or ``D-order``; KeyError if unknown."""
    return _sentences()[sentence_id]


def sentence_ids() -> tuple[str, ...]:
    """Every id, in rulebook order."""
    return tuple(_sentences())


def sentences_for(family: str, options: Mapping[str, object]) -> tuple[Sentence, ...]:
    """The sentences in force, in rulebook order.

    `family` is "bout" or "shedding", `options` its options by name with JSON-like values (a
    preset's own values included; one left out has the default of the rulebook).
    """
    return tuple(item for item in _sentences().values() if item.holds(family, options))


@lru_cache(maxsize=1)
def _sentences() -> dict[str, Sentence]:
    found = [item for name in _FILES for item in _read(name)]
    ordered = {item.id: item for item in sorted(found, key=_order)}
    if len(ordered) != len(found):
        raise ValueError("a sentence id stands in two files")
    return ordered


def _read(name: str) -> Iterator[Sentence]:
    entries = msgspec.convert(read_toml(name), dict[str, _Entry])
    for sentence_id, entry in entries.items():
        tables = entry.applies if isinstance(entry.applies, list) else [entry.applies]
        clauses = tuple(_clause(table) for table in tables)
        yield Sentence(en=entry.en, ru=entry.ru, id=sentence_id, applies=clauses)


def _clause(table: Table) -> Clause:
    options = {name: value for name, value in table.items() if name != "family"}
    return msgspec.convert({"family": table["family"], "options": options}, Clause)


def _order(item: Sentence) -> tuple[int, bool, int, str]:
    parts = _ID.fullmatch(item.id)
    if parts is None:
        raise ValueError(f"not a sentence id: {item.id}")
    group, variant, number, letter = parts.groups()
    return _GROUPS.index(group), bool(variant), 0 if number == "order" else int(number), letter
