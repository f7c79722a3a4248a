"""An environment of asv's: this Python, and a commit of the project on its search path; nothing is installed.

asv finds it by its name (`environment_type`), once this module is among the plugins of a configuration.
"""

import os
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

from asv.environment import Environment, get_env_name

from eagerdiff.suites.bench.names import CHECKOUT, ENVIRONMENT


class Checkout(Environment):
    """Check a commit out, and run this Python with it: torch, and what else is there, is the same for all commits."""

    tool_name = "checkout"
    matches_python_fallback = False

    def __init__(self, conf: Any, python: str, requirements: dict[str, str], tagged_env_vars: Any) -> None:
        """Take asv's configuration; what the project needs is there, and results are kept under torch's version."""
        self._python = f"{sys.version_info[0]}.{sys.version_info[1]}"
        self._requirements = {"torch": version("torch")}
        super().__init__(conf, self._python, self._requirements, tagged_env_vars)

    @property
    def name(self) -> str:
        """Return what results are kept under."""
        return str(get_env_name(self.tool_name, self._python, self._requirements, self._tagged_env_vars))

    def check_presence(self) -> bool:
        """Return whether there is a folder for checkouts."""
        return Path(self._path).is_dir()

    def _setup(self) -> None:
        Path(self._path).mkdir(parents=True)

    def find_executable(self, executable: str) -> str:
        """Return this Python, whatever is asked for."""
        return sys.executable

    def run(self, args: list[str], **kwargs: Any) -> Any:
        """Run this Python with the commit that is checked out first on its search path."""
        checkout, already = str(self._build_root), os.environ.get("PYTHONPATH", "")
        path = os.pathsep.join(one for one in (checkout, f"{checkout}/src", already) if one)
        told = {"ASV_PYTHONPATH": path, CHECKOUT: checkout, **ENVIRONMENT}
        return self.run_executable("python", args, env=dict(kwargs.pop("env", os.environ)) | told, **kwargs)
