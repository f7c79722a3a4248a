"""A store of objects that speaks S3, in a process of its own."""

import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

SECONDS = 30.0
"""How long the server may take to say that it listens."""


class ObjectStore:
    """Start a server on a port that the system gives; end it with the block, or before."""

    def __init__(self, folder: Path) -> None:
        self._log = folder / "server.log"

    def __enter__(self) -> Self:
        command = [sys.executable, "-c", "from moto.server import main; main()", "-H", "127.0.0.1", "-p", "0"]
        with self._log.open("w") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        self.endpoint = self._listening()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """End the server."""
        self._process.kill()
        self._process.wait()

    def refuse(self) -> None:
        """Have the server refuse whoever it does not know: everybody."""
        address, plain = f"{self.endpoint}/moto-api/reset-auth", {"Content-Type": "text/plain"}
        request = urllib.request.Request(address, data=b"0", headers=plain, method="POST")
        with urllib.request.urlopen(request):
            pass

    @property
    def options(self) -> Mapping[str, Any]:
        """What s3fs needs to reach it, and to give up soon once it is gone."""
        return {
            "key": "key",
            "secret": "secret",
            "endpoint_url": self.endpoint,
            "config_kwargs": {"retries": {"max_attempts": 1}, "connect_timeout": 2, "read_timeout": 10},
        }

    def _listening(self) -> str:
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline and self._process.poll() is None:
            if found := re.search(r"Running on (http://[\d.:]+)", self._log.read_text()):
                return found.group(1)
            time.sleep(0.05)
        self.stop()
        raise RuntimeError(f"the server of objects did not start: {self._log.read_text()[-500:]}")
