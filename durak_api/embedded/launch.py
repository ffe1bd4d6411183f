"""Turn this process into a server: `python -I -S launch.py OPTIONS -- COMMAND`.

Runs as a file of its own, with the standard library only, between fork and exec: it ties the
server's life to its parent's, steps down from root where the server insists, and lowers priority.
"""

import argparse
import contextlib
import ctypes
import os
import sys

NOBODY = 65534
CLONE_NEWUSER = 0x10000000
PR_SET_PDEATHSIG, PR_SET_KEEPCAPS, PR_CAP_AMBIENT = 1, 8, 47
PR_CAP_AMBIENT_RAISE = 2
CAP_DAC_OVERRIDE = 1
CAPABILITY_VERSION = 0x20080522

libc = ctypes.CDLL(None, use_errno=True)


def check(result: int, call: str) -> None:
    """Raise OSError when a C call failed."""
    if result != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{call}: {os.strerror(code)}")


def enter_user_namespace() -> None:
    """Be somebody else in our own eyes only: files stay root's, no account is made."""
    uid, gid = os.getuid(), os.getgid()
    check(libc.unshare(CLONE_NEWUSER), "unshare")
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{NOBODY} {uid} 1"),
        ("gid_map", f"{NOBODY} {gid} 1"),
    ):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:  # noqa: PTH123
            file.write(text)
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)


def become_nobody() -> None:
    """Drop root, but keep the right to reach files wherever root has put them."""
    linux = sys.platform == "linux"
    if linux:
        check(libc.prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0), "prctl")
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    if linux:
        bit = 1 << CAP_DAC_OVERRIDE
        header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
        check(libc.capset(header, (ctypes.c_uint32 * 6)(bit, bit, bit, 0, 0, 0)), "capset")
        ambient = (PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_DAC_OVERRIDE, 0, 0)
        check(libc.prctl(*ambient), "prctl")


def follow_parent(signal: int, parent: int) -> None:
    """Ask the kernel for `signal` when the parent dies (Linux); exit if it already has."""
    if sys.platform == "linux":
        check(libc.prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0), "prctl")
    if os.getppid() != parent:
        sys.exit(1)


def main() -> None:
    """Read the options and become the command."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--signal", type=int, required=True)
    parser.add_argument("--parent", type=int, required=True)
    parser.add_argument("--identity", choices=("same", "namespace", "nobody"), default="same")
    parser.add_argument("--nice", type=int, default=0)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    if options.identity == "namespace":
        enter_user_namespace()
    elif options.identity == "nobody":
        become_nobody()
    follow_parent(options.signal, options.parent)
    with contextlib.suppress(OSError):
        os.nice(options.nice)
    os.execvp(options.command[0], options.command)  # noqa: S606 (that is the purpose)


if __name__ == "__main__":
    main()
