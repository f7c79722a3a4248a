"""Scripts that a user names: which they are, and whether they may be run."""

from collections.abc import Sequence
from pathlib import Path

from eagerdiff.harness.cli.failure import BadInput, complain


def named_scripts(paths: Sequence[Path]) -> list[Path]:
    """Return the scripts that are named, and those of the folders that are."""
    try:
        if missing := [path for path in paths if not path.exists()]:
            raise BadInput(f"no script or folder {missing[0]}")
        named = [script for path in paths for script in (sorted(path.glob("*.py")) if path.is_dir() else [path])]
    except (OSError, ValueError) as error:  # a name that is too long, or holds a zero byte
        raise BadInput(f"no script or folder {paths[0]}: {error}") from error
    if not named:
        raise BadInput(f"no scripts in {', '.join(map(str, paths)) or 'the corpora'}")
    return list(dict.fromkeys(named))


def refuse_others(scripts: Sequence[Path]) -> None:
    """Refuse scripts that did not come with this package: they are programs of whoever wrote them. Raises BadInput."""
    from eagerdiff.harness.catalog.provenance import home

    ours = (home() / "suites" / "corpus").resolve()
    others = [script for script in scripts if not script.resolve().is_relative_to(ours)]
    if others:
        raise BadInput(f"{others[0]} is a program that did not come with eagerdiff: add --run-scripts to run it")


def warn_of_network() -> None:
    """Say so where scripts cannot be cut off from the network."""
    from eagerdiff.harness.corpus.confined import without_network

    if not without_network():
        complain("warning: this system does not let scripts be cut off from the network")
