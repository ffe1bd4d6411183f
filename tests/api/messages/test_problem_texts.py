"""Problems: every code of the HTTP contract has a status and texts in both languages."""

import re

import pytest

from games.api.messages import problem_codes, problem_text
from games.rules.texts import refusal_codes, refusal_text

CONTRACT = {
    400: "request.malformed request.invalid rules.unknown rules.invalid_options",
    401: "auth.missing auth.invalid auth.expired",
    403: "auth.scope game.not_joined game.not_creator player.not_bot",
    404: "game.not_found player.not_found match.not_found ruleset.not_found token.not_found"
    " webhook.not_found quick_match.not_found analysis.not_found not_found",
    405: "request.method",
    406: "request.not_acceptable",
    413: "request.too_large",
    415: "request.media_type",
    409: "game.full game.already_joined game.not_started game.running game.over game.not_finished"
    " match.over move.not_your_turn idempotency.in_progress player.name_taken"
    " webhook.too_many webhook.disabled bot.declined"
    " game.too_many quick_match.waiting quick_match.matched analysis.too_many",
    412: "move.stale_version",
    422: "idempotency.key_reused",
    429: "rate.limited",
    500: "server.error",
    503: "server.unavailable analysis.queue_full",
}
NAMED = [(code, status) for status, codes in CONTRACT.items() for code in codes.split()]
REFUSED = sorted(set(refusal_codes()) - {"game.over", "move.not_your_turn"})


@pytest.mark.parametrize(("code", "status"), NAMED)
def test_a_code_of_the_contract_has_its_status(code: str, status: int) -> None:
    assert problem_text(code, "en").status == status


@pytest.mark.parametrize("code", REFUSED)
def test_a_refused_move_is_422_and_says_why(code: str) -> None:
    found = problem_text(code, "ru")
    assert found.status == 422
    assert found.detail.startswith(refusal_text(code, "ru", "bout", {}).detail)


def test_there_are_no_codes_beyond_the_contract() -> None:
    assert set(problem_codes()) == {code for code, _ in NAMED} | set(REFUSED)


@pytest.mark.parametrize("code", problem_codes())
def test_texts_are_in_their_language(code: str) -> None:
    english, russian = problem_text(code, "en"), problem_text(code, "ru")
    for text in (english.title, english.detail):
        assert not re.search("[а-яё]", text, re.IGNORECASE)
    for text in (russian.title, russian.detail):
        assert re.search("[а-яё]", text, re.IGNORECASE)
    assert english.detail.endswith(".")
    assert russian.detail.endswith(".")
    assert not english.title.endswith(".")


def test_other_languages_get_english() -> None:
    assert problem_text("game.full", "de") == problem_text("game.full", "en")


@pytest.mark.parametrize("code", ["move", "move.too_clever", "nothing", ""])
def test_an_unknown_code_is_a_key_error(code: str) -> None:
    with pytest.raises(KeyError):
        problem_text(code, "en")
