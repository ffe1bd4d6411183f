"""What is compiled before the first turn, and who never loads it."""

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bots.brains import brain_get
from bots.brains.search.compiled import endgames, flats, trees
from bots.brains.search.compiled.keeping import is_kept, kept_in
from bots.warming import searches_compile
from tests.bots.brains.search.test_thinking import seen, unsolved

LISTING = """
import sys
import durak_api.embedded.applications
from durak_api.celery import app
app.loader.import_default_modules()
from bots.brains import brain_list
assert len(brain_list()) > 5
assert not {"numba", "numpy"} & set(sys.modules), "loaded where nobody thinks"
"""
COUNTING = "from bots.brains.search.compiled.bits import count; print(count((1 << 62) - 1))"

WORKING = """
import sys
from durak_api.celery import app
app.loader.import_default_modules()
app.Worker(queues=[sys.argv[1]], hostname="any@%h", pool="solo")
print("numba" in sys.modules)
"""


def signatures() -> list[int]:
    """For how many kinds of arguments each search is compiled."""
    searches = (trees.grow, trees.play, flats.compare, endgames.value, endgames.result)
    return [len(function.signatures) for function in searches]


def test_after_warming_a_thought_compiles_nothing() -> None:
    assert searches_compile() > 0
    assert is_kept()
    before = signatures()
    for name in ("flat", "ismcts"):
        brain_get(name).brain.choose(*seen(unsolved()), random.Random(1), 10)
    assert signatures() == before == [1] * 5


def test_the_web_and_the_other_workers_do_not_load_the_compiler() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LISTING], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("queue", "thinks"), [("deep", True), ("analysis", True), ("celery", False), ("sweep", False)]
)
def test_who_takes_turns_of_searching_bots_has_the_compiler_at_once(
    queue: str, thinks: bool
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WORKING, queue], check=False, capture_output=True, text=True
    )
    assert done.stdout.split() == [str(thinks)], done.stderr


def test_compiled_code_is_kept_for_its_sources_alone(tmp_path: Path) -> None:
    sources = tmp_path / "sources"
    sources.mkdir()
    (sources / "one.py").write_text("a = 1\n")
    first = kept_in(tmp_path / "kept", sources)
    assert Path(first).is_dir()
    assert kept_in(tmp_path / "kept", sources) == first
    (sources / "two.py").write_text("b = 2\n")
    assert kept_in(tmp_path / "kept", sources) != first


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert kept_in(tmp_path / "file") == ""


def test_other_variables_of_the_compiler_are_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numba takes what it kept without checks of bounds for what is to have them."""
    first = kept_in(tmp_path)
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    assert kept_in(tmp_path) != first
    monkeypatch.delenv("NUMBA_BOUNDSCHECK")
    monkeypatch.setenv("NUMBA_CACHE_DIR", "elsewhere")
    assert kept_in(tmp_path) == first


def test_a_file_that_was_written_again_is_another_source(tmp_path: Path) -> None:
    """Numba goes by the date: it would compile anew what is said to be kept."""
    source = tmp_path / "one.py"
    source.write_text("a = 1\n")
    os.utime(source, (1, 1))
    first = kept_in(tmp_path / "kept", tmp_path)
    os.utime(source, (2, 2))
    assert kept_in(tmp_path / "kept", tmp_path) != first


def counted(folder: Path, before: str = "", **environment: str) -> tuple[str, str]:
    """What a new process counts with compiled code that is kept in the folder, and what it logs."""
    done = subprocess.run(
        [sys.executable, "-c", f"{before}\n{COUNTING}"],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "NUMBA_CACHE_DIR": str(folder), **environment},
    )
    return done.stdout.strip(), done.stderr


def test_a_place_that_cannot_be_written_to_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert counted(tmp_path / "file") == ("62", "")


def test_it_is_compiled_whatever_the_compiler_is_told(tmp_path: Path) -> None:
    """Uncompiled it would count with numbers of any length."""
    assert counted(tmp_path / "file", NUMBA_DISABLE_JIT="1")[0] == "62"


def test_a_full_disk_stops_nobody(tmp_path: Path) -> None:
    full = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))"
    answer, said = counted(tmp_path, full)
    assert answer == "62"
    assert said.count("is not kept") == 1
    assert not list(tmp_path.rglob("*.nbc"))


@pytest.fixture(scope="module")
def counting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the code that counts is kept."""
    folder = tmp_path_factory.mktemp("counting")
    assert counted(folder) == ("62", "")
    return folder


def emptied(_data: bytes) -> bytes:
    return b""


def halved(data: bytes) -> bytes:
    return data[: len(data) // 2]


def blotted(data: bytes) -> bytes:
    """Zeros within the machine code, which would crash."""
    start, end = len(data) // 3, len(data) // 2
    return data[:start] + bytes(end - start) + data[end:]


@pytest.mark.parametrize(
    ("pattern", "damage", "trouble"),
    [
        ("*.nbi", emptied, "EOFError"),
        ("*.nbc", halved, "UnpicklingError"),
        ("*.nbc", blotted, "has changed since"),
    ],
)
def test_a_damaged_file_is_made_anew(
    counting: Path, tmp_path: Path, pattern: str, damage: Callable[[bytes], bytes], trouble: str
) -> None:
    folder = tmp_path / "kept"
    shutil.copytree(counting, folder)
    (path,) = folder.rglob(pattern)
    path.write_bytes(damage(path.read_bytes()))
    answer, said = counted(folder)
    assert answer == "62"
    assert said.count("is made anew") == 1
    assert trouble in said
    assert counted(folder) == ("62", "")
