"""How many files a process may have open: each stream is one."""

import resource


def files_allow(wanted: int) -> int:
    """Raise this process's limit towards `wanted`, as far as it may; return what it is now."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft == resource.RLIM_INFINITY or soft >= limit:
        return wanted if soft == resource.RLIM_INFINITY else soft
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
    return limit
