"""What the fixture gives to a test: a check that searched as the command line says, and fails as a test does."""

import functools
import os
import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from eagerdiff.harness.campaign.differential import Check
from eagerdiff.harness.cli.brief import brief
from eagerdiff.harness.cli.summary import describe
from eagerdiff.harness.devices import cache_folder
from eagerdiff.harness.pytest_plugin.asked import budget_of, seed_of, shard_of
from eagerdiff.harness.repro import Writer, write_script
from eagerdiff.harness.search.settings import profile_examples
from eagerdiff.harness.sinks import terminal
from eagerdiff.harness.sinks.file_name import stem

SMOKE_WORKLOADS, SMOKE_CALLS, SMOKE_SECONDS = 4, 2, 1.5
"""The search of each implementation where no budget is given: the first few workloads, fewer where they are slow."""
MOST_LINES = 22
"""Of what a failed test says; pytest's own heading makes three more."""


@dataclass
class PluggedCheck(Check):
    """Search one subject within a test, and fail that test in a few lines."""

    config: pytest.Config = field(kw_only=True)

    def search_as_told(self) -> None:
        """Search for as long as the command line or the project says, no more than a Hypothesis profile allows."""
        seconds, most = budget_of(self.config), profile_examples()
        search = functools.partial(self.search, seed=seed_of(self.config), shard=shard_of(self.config), most=most)
        if seconds:
            search(batches=None, budget=seconds)
        else:
            search(examples=SMOKE_WORKLOADS, max_cases=SMOKE_CALLS, budget=SMOKE_SECONDS)

    def verify(self) -> None:
        """Fail the test that calls it where something was found, and skip it where nothing was judged."""
        __tracebackhide__ = True
        if self.findings:
            pytest.fail(self.explain(), pytrace=False)
        if self.cases:
            return
        if not self.skipped and self.config.getoption("eagerdiff_implementation"):
            pytest.fail("no case was judged, and nothing that was drawn was turned down", pytrace=False)
        pytest.skip(f"no case was judged: {terminal.line(', '.join(self.skipped)) or 'nothing was drawn'}")

    def explain(self) -> str:
        """Say in a few lines what was found, with each script, and the commands that run it again.

        All of it, the workloads as YAML too, is in the file that is named; with `-v` it is shown.
        """
        from eagerdiff.harness.corpus.evals import keep  # takes half as long as torch to import

        folder = self._folder()
        for finding in self.findings:
            with Writer(finding.device, self.worker.worker_pool) as writer:
                write_script(finding, folder, writer.drafts(self.task, finding))
            finding.script = finding.script and _shown(folder / finding.script)
        name = stem(self.subject.id)
        corpus, text = folder / f"{name}.yaml", folder / f"{name}.txt"
        corpus.unlink(missing_ok=True)
        keep(self.findings, corpus)
        whole = terminal.lines("\n".join(self._whole()))
        text.write_text(f"{whole}\n", encoding="utf-8")
        if self.config.get_verbosity() > 0:
            return whole
        tail = [
            f"search seed {seed_of(self.config)}; all of it: {_shown(text)}",
            f"again: {shlex.join(['eagerdiff', 'replay', _shown(corpus), *self._given()])}",
        ]
        return terminal.lines("\n".join([*self._some(MOST_LINES - len(tail)), *tail]))

    def _whole(self) -> list[str]:
        seed = f"search seed {seed_of(self.config)}"
        return [
            f"{describe(finding, workloads=True)}\n  {seed}; again in a fresh process: {finding.reproduced}"
            for finding in self.findings
        ]

    def _some(self, most: int) -> list[str]:
        """Return so many lines: each finding's whole, as long as they fit, then how many more there are."""
        defaults = self.catalog.defaults.get(self.subject.operator, {})
        blocks = [brief(finding, defaults) for finding in self.findings]
        lines = blocks[0][:most]
        for number, block in enumerate(blocks[1:], 1):
            if len(lines) + len(block) >= most:
                return [*lines[: most - 1], f"and {len(blocks) - number} more"]
            lines += block
        return lines

    def _folder(self) -> Path:
        """Return where the files of a failure go: pytest's cache, or ours where that is off."""
        cache: Any = getattr(self.config, "cache", None)  # with `-p no:cacheprovider` there is no such attribute
        folder = cache_folder() / "pytest" if cache is None else Path(cache.mkdir("eagerdiff"))
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def _given(self) -> list[str]:
        """Return the options that name what is no part of the catalog."""
        homes = {self.catalog.spec_of(self.subject.operator): "--operator"}
        homes[self.task.plugins[0] if self.task.plugins else None] = "--implementation"
        return [part for spec, option in homes.items() if spec for part in (option, str(spec))]


def _shown(path: Path) -> str:
    return os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path)
