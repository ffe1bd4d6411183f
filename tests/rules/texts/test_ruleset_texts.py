"""Names of rulesets: every preset has one, composed ones are put together from their parts."""

import re
from itertools import combinations

import pytest

from games.rules.rulesets.registry import ruleset_ids
from games.rules.texts import ruleset_text

MODIFIERS = ("full_deal", "face_out", "japanese")
COMPOSED = [
    ".".join((base, *chosen))
    for base in ("simple", "throw_in", "transfer")
    for size in range(4)
    for chosen in combinations(MODIFIERS, size)
]
SINGLE = """
throw_in_article transfer_article throw_in.japanese_drawn_diamond online_throw_in online_transfer
proyezdnoy partners japanese_shedding mau_mau mau_mau_single_draw mau_mau_32 mau_mau_jacks
english_durak pharaoh pentagon crocodile hundred_one
"""
EVERY = COMPOSED + SINGLE.split()


@pytest.mark.parametrize("ruleset_id", sorted({*EVERY, *ruleset_ids()}))
def test_a_ruleset_has_names_and_a_description(ruleset_id: str) -> None:
    text = ruleset_text(ruleset_id)
    assert text.id == ruleset_id
    for english in (text.title.en, text.about.en):
        assert re.fullmatch("[A-Z][^а-яёА-ЯЁ]+", english)
    for russian in (text.title.ru, text.about.ru):
        assert re.fullmatch("[А-ЯЁ][^a-zA-Z]+", russian)
    assert any(re.fullmatch("[a-z0-9_.]+", alias) for alias in text.aliases)
    assert any(re.search("[а-яё]", alias) for alias in text.aliases)


def test_titles_and_aliases_are_nobody_elses() -> None:
    texts = [ruleset_text(ruleset_id) for ruleset_id in EVERY]
    names = [name for text in texts for name in (*text.aliases, text.id)]
    assert len(names) == len(set(names))
    assert len({text.title.en for text in texts}) == len(texts)
    assert len({text.title.ru for text in texts}) == len(texts)


def test_a_base_has_its_plain_name() -> None:
    text = ruleset_text("throw_in")
    assert (text.title.en, text.title.ru) == ("Throw-in durak", "Подкидной дурак")
    assert text.aliases == ("podkidnoy", "подкидной", "подкидной дурак")


def test_modifiers_compose() -> None:
    text = ruleset_text("transfer.full_deal.japanese")
    assert text.title.en == "Full-deal Japanese transfer durak"
    assert text.title.ru == "Переводной наваленный японский дурак"
    assert text.aliases[0] == "perevodnoy.navalennyy.yaponskiy"
    assert text.about.en.endswith("Diamonds are always trump, and only spades beat spades.")


@pytest.mark.parametrize(
    "ruleset_id",
    ["", "poker", "throw_in.", "throw_in.japanese.face_out", "transfer.japanese.japanese"],
)
def test_other_ids_are_key_errors(ruleset_id: str) -> None:
    with pytest.raises(KeyError):
        ruleset_text(ruleset_id)
