"""What the documentation tells a newcomer to type is typed here."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from games.rules.events import EVENTS
from tests.live import LiveStack

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PRINTED = "http://127.0.0.1:8000"


def shell_blocks(text: str) -> list[str]:
    """The shell examples of a page."""
    return re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def make_targets(text: str) -> set[str]:
    """The targets of make that a page names."""
    return set(re.findall(r"(?:`|^|&& )make ([a-z][a-z-]*)\b", text, re.MULTILINE))


def run(script: str, *, folder: Path = ROOT) -> str:
    """What a script prints; it must succeed."""
    done = subprocess.run(
        ["/bin/sh", "-eu"],
        input=script,
        capture_output=True,
        check=False,
        text=True,
        cwd=folder,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_python_examples_of_the_readme() -> None:
    failed, tried = doctest.testfile(str(README), module_relative=False)
    assert tried >= 6
    assert not failed


def test_curl_example_shows_the_game_as_ann_sees_it(live_stack: LiveStack) -> None:
    block = next(block for block in shell_blocks(README.read_text()) if "curl" in block)
    answer = run(block.replace(PRINTED, live_stack.base_url))
    assert '"hand":[' in answer
    assert '"player":"ann"' in answer


@pytest.mark.parametrize("page", ["analysis.md", "bots.md", "fairness.md", "replays.md"])
def test_examples_of_the_pages_run(page: str, live_stack: LiveStack) -> None:
    blocks = shell_blocks((ROOT / "docs" / page).read_text())
    assert blocks
    for block in blocks:
        run(block.replace(PRINTED, live_stack.base_url))


def test_streams_example_shows_the_start_of_a_game(live_stack: LiveStack) -> None:
    [block] = shell_blocks((ROOT / "docs" / "streams.md").read_text())
    page, _, stream = run(block.replace(PRINTED, live_stack.base_url)).partition("\n")
    assert '"type":"game_started"' in page
    assert stream.count("\ndata: ") >= 1
    assert '"type":"game_started"' in stream


def test_quick_match_example_starts_a_game(live_stack: LiveStack) -> None:
    [block] = shell_blocks((ROOT / "docs" / "lobby.md").read_text())
    first, second = run(block.replace(PRINTED, live_stack.base_url)).splitlines()
    assert '"status":"waiting"' in first
    assert '"status":"matched"' in second
    assert '"seat":1' in second


def test_webhooks_example_shows_a_delivery(live_stack: LiveStack) -> None:
    [block] = shell_blocks((ROOT / "docs" / "webhooks.md").read_text())
    tried, _, log = run(block.replace(PRINTED, live_stack.base_url)).partition("\n")
    assert '"event":"webhook.test"' in tried
    assert '"event":"webhook.test"' in log


def test_python_example_of_the_webhooks_page() -> None:
    failed, tried = doctest.testfile(str(ROOT / "docs" / "webhooks.md"), module_relative=False)
    assert tried >= 5
    assert not failed


def test_example_client_plays_a_whole_game(live_stack: LiveStack) -> None:
    script = f"{sys.executable} docs/examples/client.py {live_stack.base_url}"
    assert re.fullmatch(r"(The durak is \S+\.|A draw\.)\n", run(script))


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "docs/operations.md"])
def test_every_make_target_that_a_page_names_exists(page: str) -> None:
    defined = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = make_targets((ROOT / page).read_text())
    assert named
    assert named <= defined


@pytest.mark.parametrize(
    "page",
    [
        *("README.md", "CONTRIBUTING.md", "bots/README.md", "docs/bots.md", "docs/lobby.md"),
        *("docs/operations.md", "docs/streams.md", "docs/webhooks.md"),
    ],
)
def test_every_link_to_a_file_leads_somewhere(page: str) -> None:
    folder = (ROOT / page).parent
    links = re.findall(r"\]\((?!https?:)([^)#]+)", (ROOT / page).read_text())
    assert [link for link in links if not (folder / link).exists()] == []


def test_the_page_of_events_names_every_type_and_fact() -> None:
    page = (ROOT / "docs" / "events.md").read_text()
    rows = dict(re.findall(r"^\| `(\w+)` \|.*\| (.*) \|$", page, re.MULTILINE))
    facts = {
        kind: ", ".join(f.name for f in msgspec.structs.fields(event) if f.name != "next")
        for kind, event in EVENTS.items()
    }
    assert rows == facts
