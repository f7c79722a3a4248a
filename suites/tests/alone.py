"""A script in a process of its own, which has imported nothing yet."""

import subprocess
import sys
from collections.abc import Mapping


def printed(script: str, environment: Mapping[str, str] | None = None) -> str:
    """Run Python source in a fresh process and return what it printed; it must end well."""
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr[-1000:]
    return done.stdout.strip()
