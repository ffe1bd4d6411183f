"""`python -m durak_api.embedded`: the whole stack in the foreground."""

import argparse
import os
import sys

from durak_api.embedded.config import ConfigError, config_read
from durak_api.embedded.leftovers import AlreadyRunningError
from durak_api.embedded.postgres import PostgresError
from durak_api.embedded.stack import serve
from durak_api.embedded.supervisor import StartError
from durak_api.environment import BASE_DIR

OPTIONAL_PARTS = ("streams", "worker", "thinker", "courier", "beat")


def say(line: str) -> None:
    """Tell the person at the terminal."""
    print(line, flush=True)


def main() -> int:
    """Serve until Ctrl-C; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m durak_api.embedded", description=__doc__)
    parser.add_argument("--with-parent", action="store_true", help="stop when the parent ends")
    parser.add_argument("--without", action="append", default=[], choices=OPTIONAL_PARTS)
    options = parser.parse_args()
    try:
        config = config_read(os.environ, BASE_DIR / ".data")
        parent = os.getppid() if options.with_parent else None
        serve(config, say, parent=parent, without=frozenset(options.without))
    except (ConfigError, AlreadyRunningError, PostgresError, StartError) as error:
        print(f"\nCannot start: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
