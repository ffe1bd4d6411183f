"""What every ruleset is called and what it is, composed ones from the texts of their parts."""

from functools import lru_cache

import msgspec

from games.rules.texts.bilingual import Bilingual, read_toml


class RulesetText(msgspec.Struct, frozen=True):
    """Title, other names and a short description of a ruleset."""

    id: str
    title: Bilingual
    aliases: tuple[str, ...]
    about: Bilingual


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    word: Bilingual
    slug: str
    about: Bilingual


class _Preset(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    title: Bilingual
    aliases: tuple[str, ...]
    about: Bilingual


class _Book(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    base: dict[str, _Part]
    modifier: dict[str, _Part]
    preset: dict[str, _Preset]


@lru_cache(maxsize=128)
def ruleset_text(ruleset_id: str) -> RulesetText:
    """The texts of a preset, or of a base with modifiers such as ``transfer.full_deal``.

    Modifiers come in rulebook order, each at most once. Raises KeyError for any other id.
    """
    preset = _book().preset.get(ruleset_id)
    if preset is not None:
        return RulesetText(ruleset_id, preset.title, preset.aliases, preset.about)
    return _composed(ruleset_id)


def _composed(ruleset_id: str) -> RulesetText:
    base_name, *names = ruleset_id.split(".")
    if names != [name for name in _book().modifier if name in names]:
        raise KeyError(ruleset_id)
    base = _book().base[base_name]
    modifiers = [_book().modifier[name] for name in names]
    parts = [base, *modifiers]
    title = _title(base, modifiers)
    return RulesetText(ruleset_id, title, _aliases(parts, title), _about(parts))


def _title(base: _Part, modifiers: list[_Part]) -> Bilingual:
    english = [*(part.word.en for part in modifiers), base.word.en, "durak"]
    russian = [base.word.ru, *(part.word.ru for part in modifiers), "дурак"]
    return Bilingual(_sentence_case(english), _sentence_case(russian))


def _aliases(parts: list[_Part], title: Bilingual) -> tuple[str, ...]:
    words = " ".join(part.word.ru for part in parts)
    return ".".join(part.slug for part in parts), words, title.ru.lower()


def _about(parts: list[_Part]) -> Bilingual:
    english, russian = ((part.about.en for part in parts), (part.about.ru for part in parts))
    return Bilingual(" ".join(english), " ".join(russian))


def _sentence_case(words: list[str]) -> str:
    text = " ".join(words)
    return text[0].upper() + text[1:]


@lru_cache(maxsize=1)
def _book() -> _Book:
    return msgspec.convert(read_toml("rulesets.toml"), _Book)
