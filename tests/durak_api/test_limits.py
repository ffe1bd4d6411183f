"""Open files are allowed as far as the system allows."""

import subprocess
import sys

import pytest

ASK = """
import resource, sys
from durak_api.embedded.limits import files_allow
resource.setrlimit(resource.RLIMIT_NOFILE, (100, 300))
print(files_allow(int(sys.argv[1])), *resource.getrlimit(resource.RLIMIT_NOFILE))
"""


@pytest.mark.parametrize(
    ("wanted", "told"),
    [(200, "200 200 300"), (1000, "300 300 300"), (50, "100 100 300")],
)
def test_the_limit_is_raised_and_never_lowered(wanted: int, told: str) -> None:
    command = [sys.executable, "-c", ASK, str(wanted)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == told
