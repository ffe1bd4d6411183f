"""The stack that end-to-end tests talk to is the one that players get."""

import json
from typing import Any
from urllib.request import urlopen

from tests.durak_api.stack import eventually
from tests.live import LiveStack


def ready(stack: LiveStack) -> dict[str, Any]:
    """What /readyz says."""
    with urlopen(f"{stack.base_url}/readyz") as answer:
        report: dict[str, Any] = json.load(answer)
    return report


def test_application_may_not_change_the_log(live_stack: LiveStack) -> None:
    assert ready(live_stack)["log_can_be_changed"] is False


def test_beat_is_seen(live_stack: LiveStack) -> None:
    assert eventually(lambda: ready(live_stack)["beat"] == "ok")


def test_a_killed_worker_can_be_started_again(live_stack: LiveStack) -> None:
    assert eventually(lambda: ready(live_stack)["workers"] == 1)
    live_stack.kill_worker()
    live_stack.restart_worker()
    assert eventually(lambda: ready(live_stack)["workers"] >= 1)
