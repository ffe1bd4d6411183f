"""The WSGI server of the web processes."""

import multiprocessing
from pathlib import Path

import granian.server
from granian.constants import HTTPModes, Interfaces


def serve_wsgi(target: str, path: Path) -> None:
    """Serve `target` (`module:application`) on a socket file until this process is stopped."""
    # What a killed predecessor left lying; Granian would not listen over it.
    path.unlink(missing_ok=True)
    if "fork" in multiprocessing.get_all_start_methods():
        multiprocessing.set_start_method("fork", force=True)
    granian.server.Server(
        target,
        uds=path,
        interface=Interfaces.WSGI,
        http=HTTPModes.http1,
        websockets=False,
        workers=2,
        blocking_threads=4,
        backlog=2048,
        respawn_failed_workers=True,
        respawn_interval=0.5,
        workers_kill_timeout=8,
        process_name="durak: web",
    ).serve()
