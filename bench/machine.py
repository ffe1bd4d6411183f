"""On what the figures were made, so that nobody compares two machines without knowing."""

import os
import platform
import tempfile
import time
from pathlib import Path
from statistics import median

import msgspec

from durak_api.embedded.config import private_folder
from durak_api.environment import data_dir


class Machine(msgspec.Struct, frozen=True):
    """A machine and what else it does; `load` is the mean of the last minute, `fsync` in ms.

    With a load near the number of cores or above, only ratios mean anything.
    """

    cores: int
    load: float
    processor: str
    python: str
    fsync: float


def machine_look() -> Machine:
    """The machine as it is now."""
    return Machine(
        cores=os.cpu_count() or 1,
        load=os.getloadavg()[0],
        processor=_processor(),
        python=platform.python_version(),
        fsync=_fsync_ms(),
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())


def _fsync_ms(times: int = 21) -> float:
    """How long the disk under the data folder takes to keep one page."""
    spent = []
    with tempfile.NamedTemporaryFile(dir=private_folder(data_dir())) as file:
        for _ in range(times):
            started = time.perf_counter()
            file.write(bytes(8192))
            file.flush()
            os.fsync(file.fileno())
            spent.append(time.perf_counter() - started)
    return median(spent) * 1000


def memory_given() -> str:
    """The setting by which PostgreSQL has a quarter of the memory, as its manual advises."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return f"shared_buffers = {memory // 4 >> 20}MB"
