"""Keeping findings: entries in corpora, and scripts beside these."""

import shutil
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from eagerdiff.harness.sinks.file_name import module_stem

if TYPE_CHECKING:
    from eagerdiff.harness.catalog.catalog import Catalog
    from eagerdiff.harness.results.results import Results
    from eagerdiff.harness.triage.finding import Finding


def keep_new(results: "Results", catalog: "Catalog", folder: Path | None) -> None:
    """Add new findings to corpora; what cannot be kept is said in the results."""
    new = [finding for finding in results.findings if not (finding.kept or finding.flaky)]
    results.broken += keep_found(new, catalog, folder)
    results.add_up()


def keep_found(findings: "Iterable[Finding]", catalog: "Catalog", folder: Path | None) -> list[str]:
    """Add findings to the operators' corpora, as `keep_in`: those of a checkout, else those of the user's project."""
    own = own_corpus()

    def home(name: str) -> Path:
        operator = catalog.operators.get(name)
        shipped = operator.extras.corpus if operator is not None else None
        return own / f"{name}.yaml" if shipped is None or is_installed(shipped) else shipped

    return keep_in(findings, home, folder)


def own_corpus() -> Path:
    """Return the folder in which the project that is worked in keeps findings; raise BadInput for a bad setting."""
    from eagerdiff.harness.cli.project import Project

    project, root = Project.read(Path.cwd())
    return root / project.corpus


def is_installed(path: Path) -> bool:
    """Whether a file is part of an installed package: what is written there is lost with it."""
    return bool({"site-packages", "dist-packages"} & set(path.parts))


def keep_in(
    findings: "Iterable[Finding]", corpus: Callable[[str], Path], folder: Path | None, taken: Collection[str] = ()
) -> list[str]:
    """Add findings to corpora, and their scripts beside these; return what could not be kept, a line each.

    `corpus` gives an operator's file, `folder` is the report's, which the scripts' paths begin at. Of what is there
    already the script is written anew. `taken` are names that no entry may have.
    """
    from eagerdiff.harness.corpus.evals import CorpusError, keep

    found: dict[Path, list[Finding]] = {}
    for finding in findings:
        found.setdefault(corpus(finding.operator), []).append(finding)
    problems: list[str] = []
    for path, those in found.items():
        try:
            names = keep(those, path, taken=taken)
        except (CorpusError, OSError) as error:
            problems += [f"{finding.signature} is not kept in {path}: {error}" for finding in those]
            continue
        for finding, name in zip(those, names, strict=True):
            if finding.script and folder is not None:
                kept = path.parent / "scripts" / finding.operator / f"{module_stem(name)}.py"
                try:
                    kept.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(folder / finding.script, kept)
                except OSError as error:
                    problems.append(f"{finding.signature}: its script is not kept in {kept}: {error}")
    return problems
