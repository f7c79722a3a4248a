"""A project's asv: the configuration that is written where there is none, commits, and the processes of asv's."""

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from eagerdiff import telling_line

FOLDER = Path(".eagerdiff") / "asv"
"""Of what is written, from the root of the repository on."""
CONFIG = "asv.conf.json"
BENCHMARKS = '''"""Written by `eagerdiff bench`: what asv times and counts."""

from eagerdiff.suites.bench.own import benchmarks

globals().update(benchmarks(operators={operators!r}, implementations={implementations!r}, rounds={rounds}))
'''
PLUGINS = [".eagerdiff.suites.bench.environment", ".eagerdiff.suites.asv_pages"]
"""Of asv's; it takes a name with a dot in front for one that can be imported from anywhere."""
_DONE = re.compile(r"^\[\s*([\d.]+)%\]")


class BenchError(Exception):
    """Say in one line why nothing is measured."""


@dataclass(frozen=True)
class Project:
    """Name a repository and the configuration of asv that measures it."""

    root: Path
    config: Path

    @classmethod
    def written(cls, root: Path, operators: Sequence[str], implementations: Sequence[str], rounds: int) -> "Project":
        """Write a configuration and a benchmark file for operators and implementations; results stay where they are."""
        folder = root / FOLDER
        (folder / "benchmarks").mkdir(parents=True, exist_ok=True)
        (folder / ".gitignore").write_text("*\n", encoding="utf-8")
        (folder / "benchmarks" / "__init__.py").write_text("", encoding="utf-8")
        text = BENCHMARKS.format(operators=list(operators), implementations=list(implementations), rounds=rounds)
        (folder / "benchmarks" / "own.py").write_text(text, encoding="utf-8")
        config = {
            "version": 1,
            "project": root.name,
            "repo": "../..",
            "dvcs": "git",
            "branches": ["HEAD"],
            "plugins": PLUGINS,
            "environment_type": "checkout",
            "pythons": ["same"],
            "launch_method": "forkserver",
            "build_command": [],
            "install_command": [],
            "uninstall_command": [],
            "benchmark_dir": "benchmarks",
            "env_dir": "env",
            "results_dir": "results",
            "html_dir": "html",
            "regressions_thresholds": {".*track_.*": 0.0, ".*track_compile_(calls|seconds).*": 0.02},
        }
        (folder / CONFIG).write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
        return cls(root, folder / CONFIG)

    @property
    def log(self) -> Path:
        """The file of all that asv says."""
        return self.config.parent / "eagerdiff-bench.log"

    @property
    def last_line(self) -> str:
        """What asv said last."""
        return telling_line(self.log.read_text(encoding="utf-8", errors="replace"))

    def commits(self, given: str) -> list[str]:
        """Return the commits of a range (`A..B`), the last of a name; the oldest first. Raises BenchError."""
        told = ["rev-list", "--reverse", given] if ".." in given else ["rev-list", "-1", given]
        done = subprocess.run(["git", *told, "--"], cwd=self.root, capture_output=True, text=True, check=False)
        if done.returncode:
            raise BenchError(f"git knows no {given}: {done.stderr.strip().splitlines()[-1]}")
        if not (found := done.stdout.split()):
            raise BenchError(f"there is no commit in {given}")
        return found

    def asv(self, *arguments: str, told: str = "", said: Callable[[float], object] = lambda _: None) -> int:
        """Run asv, and write what it says to the log; `said` is called with the percentage that is done."""
        command = [sys.executable, "-m", "asv", "--config", str(self.config), *arguments]
        with self.log.open("a", encoding="utf-8") as log:
            print(time.strftime("%F %T"), *command, file=log, flush=True)
            process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
            )
            assert process.stdin is not None
            assert process.stdout is not None
            with process.stdin as stdin:
                stdin.write(told)
            for line in process.stdout:
                print(line, end="", file=log, flush=True)
                if (done := _DONE.match(line)) is not None:
                    said(float(done[1]))
            return process.wait()


def root_of(folder: Path) -> Path:
    """Return the root of the git repository that a folder is in; raise BenchError where it is in none."""
    done = subprocess.run(
        ["git", "rev-parse", "--show-toplevel"], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise BenchError("this is no git repository: commits are what is compared (git init, git commit)")
    return Path(done.stdout.strip())


def is_changed(root: Path) -> bool:
    """Whether there is something that no commit holds."""
    told = ["git", "status", "--porcelain", "--untracked-files=no"]
    return bool(subprocess.run(told, cwd=root, capture_output=True, text=True, check=False).stdout.strip())
