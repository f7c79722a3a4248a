"""`eagerdiff report`: a report's page, summary and JUnit file, made again from what the campaign wrote."""

import shutil
from pathlib import Path
from typing import Annotated

import typer

SCRIPTS = "findings"


def report(
    folder: Annotated[Path, typer.Argument(help="Folder of a report, or of its report.json alone.")] = Path("report"),
    out: Annotated[Path | None, typer.Option(help="Folder to write to. Default: where it is.")] = None,
) -> None:
    """Render a report again from its report.json: one of an older version, or from another machine.

    Scripts of findings go with it. Of nights side by side (`nightly --torch`) the page with a column each is rendered;
    each night's own is in its folder. Exit code 0: it is written; 2: it could not be.
    """
    from eagerdiff.harness.cli.console import console
    from eagerdiff.harness.cli.failure import in_writing
    from eagerdiff.harness.cli.folder import PATCH, occupied
    from eagerdiff.harness.cli.options import writable_folder
    from eagerdiff.harness.cli.written import read_results
    from eagerdiff.harness.report import write
    from eagerdiff.harness.results.sides import FILE

    if (folder / FILE).is_file():
        _render_sides(folder, writable_folder(out if out is not None else folder))
        return
    results = read_results(folder)
    target = writable_folder(out if out is not None else folder)
    with occupied(target), in_writing(target):
        write(results, target)
        elsewhere = target.resolve() != folder.resolve()
        if elsewhere and (folder / SCRIPTS).is_dir():
            shutil.copytree(folder / SCRIPTS, target / SCRIPTS, dirs_exist_ok=True)
        if elsewhere and results.patch and (folder / PATCH).is_file():
            shutil.copyfile(folder / PATCH, target / PATCH)
    console().print(f"report: {target / 'index.html'}", soft_wrap=True)


def _render_sides(folder: Path, target: Path) -> None:
    """Render the page of nights side by side again; their own reports go with it where it is written elsewhere."""
    from eagerdiff.harness.cli.console import console
    from eagerdiff.harness.cli.failure import in_writing
    from eagerdiff.harness.cli.folder import occupied
    from eagerdiff.harness.cli.side_by_side import read_sides
    from eagerdiff.harness.cli.written import read_sides_file
    from eagerdiff.harness.report import write_sides

    sides = read_sides_file(folder)
    results = read_sides(sides, folder)
    with occupied(target), in_writing(target):
        write_sides(sides, results, target)
        if target.resolve() != folder.resolve():
            for side in sides.sides:
                if side.name in results:
                    shutil.copytree(folder / side.folder, target / side.folder, dirs_exist_ok=True)
    console().print(f"report: {target / 'index.html'}", soft_wrap=True)
