"""What is compiled before the first turn, and who never loads it."""

import os
import random
import subprocess
import sys
from pathlib import Path

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


def test_a_place_that_cannot_be_written_to_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    script = "from bots.brains.search.compiled.bits import count; print(count(7))"
    done = subprocess.run(
        [sys.executable, "-c", script],
        check=True,
        capture_output=True,
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "file")},
    )
    assert done.stdout.split() == [b"3"]
