"""Builds of Inductor's C++ code that were cut short.

The linker writes into Inductor's cache in place, and a file that is there is taken for whole: a library whose build
was killed fails every later process with "file too short". A build works in a folder of its own beside its output and
removes it at the end, all under a lock that ends with its process: a folder whose lock is free was left by the dead.
AOTInductor builds its kernels under the wrapper's lock, and none of their own: whether such a build goes on cannot be
told, and need not be, for it is made anew each time.
"""

import shutil
from pathlib import Path

from filelock import FileLock, Timeout

from eagerdiff.harness.internals.hook import Hook

HOOKS = {
    "folder": Hook(
        "torch",
        "torch._inductor.cpp_builder:_BUILD_TEMP_DIR",
        "names the folder of a build, by which one that was killed is known",
        since="2.11",
    ),
    "lock": Hook("torch", "torch._inductor.codecache:get_lock_dir", "holds the locks of builds", since="2.11"),
}
FOLDER = "CxxBuild"
"""How the folder of a build ends; torch is not imported for it, for a worker of a GPU starts without."""
_SOURCES = (".cpp", ".h", ".py")


def clear_cut_short(cache: Path) -> list[Path]:
    """Remove what killed builds left in a cache folder of Inductor's; return the files, sources left out."""
    removed: list[Path] = []
    locks = cache / "locks"
    for folder in cache.glob(f"*/*_{FOLDER}"):
        name = folder.name.removesuffix(f"_{FOLDER}")
        lock = locks / f"{name.partition('.')[0]}.lock"
        if not lock.exists():
            continue
        try:
            with FileLock(lock, timeout=0):
                removed += _remove(folder, name)
        except (Timeout, OSError):  # its process is alive, or nobody may write there, so that no build was cut short
            continue
    return removed


def _remove(folder: Path, name: str) -> list[Path]:
    outputs = [path for path in folder.parent.glob(f"{name}.*") if path.suffix not in _SOURCES]
    for path in outputs:
        path.unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)
    return outputs
