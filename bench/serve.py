"""`python -m bench.serve MODULE:APPLICATION SOCKET`: a WSGI application as the API is served."""

import sys
from importlib import import_module
from pathlib import Path

from durak_api.embedded.web_server import serve_wsgi


def main(target: str, path: str) -> None:
    """Load the application once for all workers, and serve it."""
    import_module(target.partition(":")[0])
    serve_wsgi(target, Path(path))


if __name__ == "__main__":
    main(*sys.argv[1:])
