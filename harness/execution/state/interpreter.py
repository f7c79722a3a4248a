"""The interpreter: what Python asks or follows while it runs."""

import builtins
import gc
import sys
import threading
import warnings


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
        "sys.getrecursionlimit()": sys.getrecursionlimit(),
        "sys.getswitchinterval()": sys.getswitchinterval(),
        "sys.path": tuple(sys.path),
        "sys.meta_path": tuple(sys.meta_path),
        "sys.path_hooks": tuple(sys.path_hooks),
        "sys.modules": sys.modules,
        "builtins": builtins.__dict__,
        "gc.isenabled()": gc.isenabled(),
        "gc.get_threshold()": gc.get_threshold(),
        "warnings.filters": tuple(warnings.filters),
    }
