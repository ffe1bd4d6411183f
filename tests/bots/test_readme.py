"""The example of bots/README.md is a brain that works."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command

from bots.brains.registry import forget

README = Path(__file__).resolve().parents[2] / "bots" / "README.md"


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The example as a module on the path."""
    (code,) = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "brain_of_the_readme.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield "brain_of_the_readme"
    forget("first")


def test_the_example_plays(module: str, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("arena", "first", "greedy", "--deals", "2", "--jobs", "1", "--module", module)
    assert "first scores" in capsys.readouterr().out
