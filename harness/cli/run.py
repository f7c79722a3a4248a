"""`eagerdiff run`: one operator, its implementations and those of one's own."""

from pathlib import Path
from typing import Annotated

import typer

from eagerdiff.harness.cli.failure import in_writing


def run(
    operator: Annotated[str, typer.Argument(help="Name, module:OPERATOR or folder/file.py:OPERATOR.")],
    implementation: Annotated[
        list[str] | None, typer.Option(help="Only this implementation, or module:ATTRIBUTE; may be repeated.")
    ] = None,
    device: Annotated[list[str] | None, typer.Option(help="Only this device; may be repeated.")] = None,
    budget: Annotated[str, typer.Option(help="Time to search: 30s, 5m, 1h30m.")] = "30s",
    seed: Annotated[int, typer.Option(help="Seed of the search.")] = 0,
    json: Annotated[Path | None, typer.Option("--json", help="File to write the results to.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder of a report with standalone scripts.")] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Add new findings to the corpus.")] = False,
) -> None:
    """Search one operator's implementations for failures and count their compilations.

    On `offline:sm_80`, `offline:sm_90`, `offline:sm_100` and `offline:gfx942` kernels are compiled, not run.

    Exit code 0: nothing new; 1: a new finding; 2: it could not run, an implementation was never judged, or the harness
    or a plug-in's glue broke, and says why.
    """
    from eagerdiff.harness.cli.conduct import Plan, conduct
    from eagerdiff.harness.cli.console import console
    from eagerdiff.harness.cli.ending import exit_code
    from eagerdiff.harness.cli.offline import print_offline
    from eagerdiff.harness.cli.options import (
        named_implementations,
        read_budget,
        read_catalog,
        read_devices,
        read_whole_catalog,
        writable_file,
        writable_folder,
    )
    from eagerdiff.harness.cli.summary import print_summary

    seconds, target = read_budget(budget), writable_file(json)
    folder = writable_folder(out) if out else None
    asked = read_devices(device or [])
    catalog = read_catalog([operator], implementation or [])
    chosen = named_implementations(catalog, implementation or [])
    targets = [found.name.removeprefix("offline:") for found in asked if found.kind == "offline"]
    if targets:
        print_offline(console(), read_whole_catalog([operator], implementation or []), chosen, targets)
    devices = [found.name for found in asked if found.kind != "offline"] or None
    if targets and devices is None:
        return
    plan = Plan(
        catalog=catalog, budget=seconds, implementations=chosen, devices=devices, seed=seed, out=folder, keep=keep
    )
    terminal = console()
    done = conduct(plan, terminal)
    results = done.results
    print_summary(
        terminal, results, page=str(done.folder / "index.html") if done.folder else "", defaults=catalog.defaults
    )
    if target:
        with in_writing(target):
            target.write_text(results.model_dump_json(indent=1) + "\n", encoding="utf-8")
    if done.folder:
        terminal.print(f"report: {done.folder / 'index.html'}", soft_wrap=True)
    elif results.findings:
        terminal.print("(--out FOLDER writes a report, with a standalone script for each finding)")
    raise typer.Exit(exit_code(results, implementations=chosen, all_asked=True))
