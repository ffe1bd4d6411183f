"""CPU time is that of a process and of all it has started."""

import subprocess
import sys

from bench.cpu import cpu_seconds

BURN = "import time\nwhile time.process_time() < 0.3: pass"
CHILD = (
    f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {BURN!r}])\nprint()\ninput()"
)


def test_children_that_have_ended_count() -> None:
    command = [sys.executable, "-c", CHILD]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert 0.25 < cpu_seconds([process.pid]) < 5
        process.communicate(b"\n")
