"""Proposing: a night's new findings as a patch of the repository that holds the corpora; `git apply` keeps them."""

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from eagerdiff.harness.cli.folder import PATCH
from eagerdiff.harness.cli.keeping import keep_in
from eagerdiff.harness.processes.git import GitError, git, patch_between

if TYPE_CHECKING:
    from eagerdiff.harness.catalog.catalog import Catalog
    from eagerdiff.harness.results.results import Results
    from eagerdiff.harness.triage.finding import Finding


def propose(results: "Results", catalog: "Catalog", folder: Path) -> None:
    """Write a patch into a report's folder that adds one finding of each new cause, with its script, to its corpus.

    A finding without a script is left out, and an operator whose corpus is in no git repository. Where corpora lie in
    several, the patch is of the first. Nothing is written where nothing is left; the results name what was.
    """
    chosen = _chosen(results)
    corpora = {name: operator.extras.corpus for name, operator in catalog.operators.items()}
    with tempfile.TemporaryDirectory() as place:
        before, after, top = Path(place) / "a", Path(place) / "b", None
        copies: dict[str, Path] = {}
        for name in dict.fromkeys(finding.operator for finding in chosen):
            found = _in_repository(corpora.get(name))
            if found is None or (top is not None and found[0] != top):
                continue
            top, path = found
            copies[name] = after / path.relative_to(top)
            _copy(path, copies[name])
            _copy(path, before / path.relative_to(top))
        proposed = [finding for finding in chosen if finding.operator in copies]
        if not proposed:
            return
        before.mkdir(exist_ok=True)
        results.broken += keep_in(proposed, copies.__getitem__, folder)
        try:
            text = patch_between(before, after)
            if text:
                (folder / PATCH).write_bytes(text.encode(errors="surrogateescape"))
                results.patch = PATCH
        except (GitError, OSError) as error:
            results.broken.append(f"no patch of what was found: {error}")


def _chosen(results: "Results") -> "list[Finding]":
    """Return one finding with a script of each new cause."""
    from eagerdiff.harness.triage.cause import cause_of

    with_script = (finding for finding in results.findings if finding.new and not finding.flaky and finding.script)
    return list({cause_of(finding): finding for finding in reversed(list(with_script))}.values())[::-1]


def _in_repository(corpus: Path | None) -> tuple[Path, Path] | None:
    """Return the top of the repository that a corpus is in, and its path; None where it is in none."""
    if corpus is None or not corpus.parent.is_dir():
        return None
    path = corpus.resolve()
    try:
        top = Path(git("rev-parse", "--show-toplevel", folder=path.parent)).resolve()
        ignored = bool(git("status", "--porcelain", "--ignored", "--", str(path), folder=top).startswith("!!"))
    except GitError:
        return None
    return None if ignored else (top, path)


def _copy(path: Path, to: Path) -> None:
    if path.exists():
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, to)
