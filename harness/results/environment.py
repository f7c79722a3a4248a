"""The environment: what a campaign ran on."""

import hashlib
import os
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


def environment() -> dict[str, str]:
    """Return python, torch, triton, platform, cores, gpu and commit; imports neither torch nor triton."""
    return {
        "python": platform.python_version(),
        "torch": _version("torch"),
        "triton": _version("triton"),
        "platform": platform.platform(),
        "cores": str(os.cpu_count()),
        "gpu": _ask("nvidia-smi", "--query-gpu=name", "--format=csv,noheader") or "none",
        "commit": _commit(),
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"


def _commit() -> str:
    """Return the commit that this stands in, with a digest of what was changed since; `unknown` outside of git."""
    folder = str(Path(__file__).parent)
    commit = _ask("git", "-C", folder, "rev-parse", "HEAD")
    changes = _output("git", "-C", folder, "diff", "--no-ext-diff", "--binary", "HEAD") if commit else b""
    return commit + (f"+{hashlib.sha256(changes).hexdigest()[:6]}" if changes else "") or "unknown"


def _ask(*command: str) -> str:
    return _output(*command).decode(errors="replace").strip()


def _output(*command: str) -> bytes:
    """Return what a command prints, as it is: a file of any encoding may stand in it; nothing where it fails."""
    try:
        return subprocess.run(command, capture_output=True, timeout=10, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return b""
