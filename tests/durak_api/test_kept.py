"""An answer is looked up once for all who ask at about the same time."""

import threading
import time
from collections.abc import Iterator
from itertools import count

import pytest

from durak_api.kept import Kept
from tests.threads import at_once


def test_an_answer_is_good_for_a_while() -> None:
    numbers = count()
    kept = Kept(lambda: next(numbers), 0.2)
    assert (kept(), kept()) == (0, 0)
    time.sleep(0.25)
    assert (kept(), kept()) == (1, 1)


def test_it_can_be_forgotten() -> None:
    numbers = count()
    kept = Kept(lambda: next(numbers), 60)
    kept()
    kept.forget()
    assert kept() == 1


def test_of_many_one_looks() -> None:
    looked: list[int] = []

    def look() -> int:
        looked.append(threading.get_ident())
        time.sleep(0.1)
        return 7

    assert at_once([Kept(look, 60)] * 8) == [7] * 8
    assert len(looked) == 1


def test_what_is_raised_is_not_kept() -> None:
    answers: Iterator[ValueError | int] = iter([ValueError("gone"), 5])

    def look() -> int:
        answer = next(answers)
        if isinstance(answer, ValueError):
            raise answer
        return answer

    kept = Kept(look, 60)
    with pytest.raises(ValueError, match="gone"):
        kept()
    assert kept() == 5
