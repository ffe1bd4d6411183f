"""The rulesets on offer, and everything about one of them."""

import hashlib
from functools import lru_cache
from typing import Annotated, Any

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import ApiView
from games.api.etags import not_modified
from games.api.operations import operation
from games.api.pagination import Page
from games.api.problems import Problem
from games.api.renderers import json_bytes
from games.rules.rulesets import registry
from games.rules.texts import Bilingual, Sentence, option_text, ruleset_text, sentences_for


class Players(msgspec.Struct, frozen=True):
    """How many may play, both included; `counts` lists them, since teams need certain numbers."""

    min: int
    max: int
    counts: tuple[int, ...]


class RulesetItem(msgspec.Struct, frozen=True):
    """A preset: `options` holds the value of every dial, `sha256` is of all of them."""

    id: str
    family: str
    title: str
    about: str
    aliases: tuple[str, ...]
    players: Players
    options: dict[str, Any]
    sha256: str


class RuleSentence(msgspec.Struct, frozen=True):
    """A sentence of the rulebook."""

    id: str
    en: str
    ru: str


class RulesetDetail(RulesetItem, frozen=True):
    """A preset, what may be set otherwise, and the sentences that are in force."""

    options_schema: Annotated[dict[str, Any], msgspec.Meta(description="JSON Schema")]
    sentences: tuple[RuleSentence, ...]


class RulesetsView(ApiView):
    """`/rulesets`"""

    @operation(
        "ruleset_list",
        access="ignored",
        answer=Page[RulesetItem],
        parameters=("If-None-Match",),
        also={304: "Nothing has changed."},
    )
    def get(self, request: Request) -> Response:
        """Every ruleset, with titles in the language asked for."""
        return _unless_held(self, _list(self.language))


class RulesetView(ApiView):
    """`/rulesets/{ruleset_id}`"""

    @operation(
        "ruleset_get",
        access="ignored",
        answer=RulesetDetail,
        codes=("ruleset.not_found",),
        parameters=("If-None-Match",),
        also={304: "Nothing has changed."},
    )
    def get(self, request: Request, ruleset_id: str) -> Response:
        """One ruleset with all its dials and the sentences of the rulebook that apply."""
        if ruleset_id not in registry.ruleset_ids():
            raise Problem("ruleset.not_found")
        return _unless_held(self, _detail(ruleset_id, self.language))


def _unless_held(view: ApiView, content: bytes) -> Response:
    headers = {"ETag": f'"{hashlib.sha256(content).hexdigest()[:32]}"'}
    if not_modified(view.http, headers["ETag"]):
        return view.answer(status=304, headers=headers)
    return view.answer(content, headers=headers)


@lru_cache(maxsize=2)
def _list(language: str) -> bytes:
    items = [_item(ruleset_id, language) for ruleset_id in registry.ruleset_ids()]
    return json_bytes(Page(items, None))


@lru_cache(maxsize=256)
def _detail(ruleset_id: str, language: str) -> bytes:
    item = _item(ruleset_id, language)
    sentences = tuple(_sentence(found) for found in sentences_for(item.family, item.options))
    detail = RulesetDetail(
        **msgspec.structs.asdict(item),
        options_schema=_options_schema(item, language),
        sentences=sentences,
    )
    return json_bytes(detail)


def _item(ruleset_id: str, language: str) -> RulesetItem:
    found = registry.ruleset(ruleset_id)
    text = ruleset_text(found.id)
    counts = registry.player_counts(found.id)
    return RulesetItem(
        id=found.id,
        family=found.family,
        title=text.title.text(language),
        about=text.about.text(language),
        aliases=text.aliases,
        players=Players(counts[0], counts[-1], counts),
        options=msgspec.structs.asdict(found.rules),
        sha256=found.sha256,
    )


def _options_schema(item: RulesetItem, language: str) -> dict[str, Any]:
    """The family's schema; a default is the preset's own value, the description its meaning."""
    schema: dict[str, Any] = registry.options_schema(item.family)
    properties = {
        name: {
            **about,
            "default": item.options[name],
            "description": _meaning(item, name, language),
        }
        for name, about in schema["properties"].items()
    }
    return {**schema, "properties": properties}


def _meaning(item: RulesetItem, name: str, language: str) -> str:
    text: Bilingual = option_text(item.family, name)
    return text.text(language)


def _sentence(found: Sentence) -> RuleSentence:
    return RuleSentence(found.id, found.en, found.ru)
