"""The recorded cases quote only sentences that the rulebook has."""

import json
import re
from pathlib import Path

from games.rules.texts import refusal_codes, sentence_ids

CASES = json.loads((Path(__file__).parents[2] / "data" / "cases.json").read_text("utf-8"))["cases"]
ID = re.compile(r"\b(?:[AB]-\d+|C[1-4]-\d+|C5-(?:\d+|V\d[a-c]?)|[KG]\d+)\b")


def test_every_sentence_quoted_exists() -> None:
    quoted = {found for case in CASES for found in ID.findall(case["source"])}
    known = sentence_ids()
    missing = {item for item in quoted if not any(name.startswith(item) for name in known)}
    assert len(quoted) > 50
    assert not missing


def test_every_error_expected_has_a_text() -> None:
    errors = {step["error"] for case in CASES for step in case["steps"] if "error" in step}
    assert errors
    assert errors <= set(refusal_codes())
