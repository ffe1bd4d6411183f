"""Imports point one way; pyproject.toml says which."""

import ast
import subprocess
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted(
    path for name in ("durak_api", "games", "bots") for path in (ROOT / name).rglob("*.py")
)
LONGEST_MODULE, LONGEST_FUNCTION = 400, 40


def test_imports_point_one_way() -> None:
    program = Path(sysconfig.get_path("scripts")) / "lint-imports"
    checked = subprocess.run(
        [program, "--no-cache"], cwd=ROOT, capture_output=True, check=False, text=True
    )
    assert checked.returncode == 0, checked.stdout


def test_every_package_can_be_seen() -> None:
    folders = {path.parent for path in SOURCES}
    assert [str(folder) for folder in folders if not (folder / "__init__.py").exists()] == []


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_and_functions_stay_short(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= LONGEST_MODULE
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    long = {f.name: f.end_lineno - f.lineno + 1 for f in functions if f.end_lineno}
    assert {name: lines for name, lines in long.items() if lines > LONGEST_FUNCTION} == {}
