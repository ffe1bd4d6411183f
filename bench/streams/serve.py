"""`python -m bench.streams.serve SOCKET`: the streams process as `make run` has it."""

import sys
from pathlib import Path

from durak_api.embedded.applications import run_streams

if __name__ == "__main__":
    run_streams(Path(sys.argv[1]))
