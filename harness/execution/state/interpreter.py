"""The interpreter: what Python asks or follows while it runs."""

import builtins
import gc
import sys
import threading
import warnings

INDUCTORS_RECURSION = 2000
"""What Inductor raises the limit to where it is lower (`torch._inductor.compile_fx`), and leaves it at."""


def interpreter() -> dict[str, object]:
    """Return the streams, hooks, tracers and search paths of this process, and a few of its numbers."""
    return {
        "sys.stdin": sys.stdin,
        "sys.stdout": sys.stdout,
        "sys.stderr": sys.stderr,
        "sys.excepthook": sys.excepthook,
        "sys.unraisablehook": sys.unraisablehook,
        "threading.excepthook": threading.excepthook,
        "sys.gettrace()": sys.gettrace(),
        "sys.getprofile()": sys.getprofile(),
        "sys.getrecursionlimit()": max(INDUCTORS_RECURSION, sys.getrecursionlimit()),
        "sys.getswitchinterval()": sys.getswitchinterval(),
        "sys.path": tuple(sys.path),
        "sys.meta_path": tuple(sys.meta_path),
        "sys.path_hooks": tuple(sys.path_hooks),
        "sys.modules": sys.modules,
        "builtins": builtins.__dict__,
        "gc.isenabled()": gc.isenabled(),
        "gc.get_threshold()": gc.get_threshold(),
        # Whatever is imported adds some that say once, or nothing: only those that raise change what is computed.
        "warnings.filters": tuple(one for one in warnings.filters if one[0] == "error"),
    }
