"""`eagerdiff track`: one issue of a repository that follows the nights."""

import os
from pathlib import Path
from typing import Annotated

import typer


def track(
    folder: Annotated[Path, typer.Argument(help="Folder of a report, or of its report.json alone.")] = Path("report"),
    repository: Annotated[
        str | None, typer.Option(metavar="OWNER/NAME", help="Whose issue it is. Default: $GITHUB_REPOSITORY.")
    ] = None,
    label: Annotated[str, typer.Option(help="The issue's label.")] = "eagerdiff",
) -> None:
    """Open, update or close the one issue that says what nights found and nothing has fixed.

    The token stands in GITHUB_TOKEN, and must be able to write issues. GITHUB_API_URL names another server.

    Exit code 0: the issue is as it should be; 2: it could not be read or written, and says why.
    """
    from eagerdiff.harness.cli.console import console
    from eagerdiff.harness.cli.failure import BadInput
    from eagerdiff.harness.cli.written import read_results
    from eagerdiff.harness.tracking import Refused, Repository
    from eagerdiff.harness.tracking import track as tracked

    name = repository if repository is not None else os.environ.get("GITHUB_REPOSITORY", "")
    api = os.environ.get("GITHUB_API_URL") or "https://api.github.com"
    if not name:
        raise BadInput("which repository? Name it with --repository OWNER/NAME, or in GITHUB_REPOSITORY")
    if not label.strip() or "," in label:
        raise BadInput(f"{label[:100]!r} is no label: give one name without a comma")
    results = read_results(folder)
    try:
        place = Repository(name, os.environ.get("GITHUB_TOKEN", ""), api)
        done, issue = tracked(place, results, label=label, run=_run(name))
    except Refused as error:
        raise BadInput(str(error)) from error
    where = f": {issue.html_url}" if issue is not None else ""
    console().print(f"tracking issue {done.value}{where}", soft_wrap=True)


def _run(name: str) -> str:
    """Return the address of the workflow's run that this is part of; empty where it is none."""
    server, number = os.environ.get("GITHUB_SERVER_URL", ""), os.environ.get("GITHUB_RUN_ID", "")
    ours = name == os.environ.get("GITHUB_REPOSITORY")
    return f"{server}/{name}/actions/runs/{number}" if server and number.isdecimal() and ours else ""
