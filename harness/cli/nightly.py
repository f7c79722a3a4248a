"""`eagerdiff nightly`: the whole campaign, with its report."""

from pathlib import Path
from typing import Annotated

import typer

from eagerdiff.harness.cli.failure import BadInput


def nightly(
    budget: Annotated[str, typer.Option(help="Time from the end of the start-up on: 30s, 5m, 1h30m.")] = "5m",
    out: Annotated[Path, typer.Option(help="Folder of the report.")] = Path("report"),
    operator: Annotated[
        list[str] | None, typer.Option(help="Only this operator; may be repeated. Default: all but exploratory ones.")
    ] = None,
    implementation: Annotated[
        list[str] | None, typer.Option(help="Only this implementation, or module:ATTRIBUTE; may be repeated.")
    ] = None,
    device: Annotated[list[str] | None, typer.Option(help="Only this device; may be repeated.")] = None,
    seed: Annotated[
        int | None, typer.Option(help="Seed of the search. Default: the date's, which moves from night to night.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on where the journal in the folder ends.")] = False,
    from_scratch: Annotated[
        bool, typer.Option("--from-scratch", help="Search as if nothing had been kept yet.")
    ] = False,
    keep: Annotated[bool, typer.Option("--keep", help="Add new findings to the corpus.")] = False,
    journal: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Also copy the journal there as it grows: s3://bucket/folder; see --resume."),
    ] = None,
    history: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of the nights before, to which this one is added.")
    ] = None,
    example_database: Annotated[
        str,
        typer.Option(
            metavar="FOLDER|URL",
            envvar="EAGERDIFF_EXAMPLE_DATABASE",
            help="Hypothesis' example database, which nights and machines share: a folder, or redis://HOST:PORT.",
        ),
    ] = "",
    shard: Annotated[
        str | None,
        typer.Option(metavar="I/N", help="Only this part, such as 2/4; `eagerdiff merge` joins the reports."),
    ] = None,
    ray: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Have a Ray cluster's machines search: auto, HOST:PORT, local."),
    ] = None,
    ray_env: Annotated[
        Path | None, typer.Option(metavar="FILE", help="What Ray's machines run with: its runtime_env, as YAML.")
    ] = None,
    ray_cpus: Annotated[int, typer.Option(min=0, help="CPUs that Ray's autoscaler is asked for.")] = 0,
    ray_gpu_share: Annotated[
        float, typer.Option(min=0.01, max=1.0, help="Of a GPU, for each of Ray's workers that has one.")
    ] = 1.0,
    torch: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PYTHON", help="Also have the night under this Python's torch, side by side; may be repeated."
        ),
    ] = None,
) -> None:
    """Replay the corpus, search every operator, and write a report.

    Exit code 0: nothing new; 1: a new finding, or one that has returned; 2: it could not run, nothing was
    judged, an implementation asked for by name was not, or the harness or a plug-in's glue broke, and says why.
    With --torch, one night under each, with the same seed and budget: the largest of their exit codes.
    """
    from eagerdiff.harness.cli.conduct import Plan, conduct
    from eagerdiff.harness.cli.console import console
    from eagerdiff.harness.cli.ending import exit_code
    from eagerdiff.harness.cli.fleet import FleetAsked
    from eagerdiff.harness.cli.folder import JOURNAL
    from eagerdiff.harness.cli.options import (
        named_devices,
        named_implementations,
        night_seed,
        read_budget,
        read_catalog,
        read_copy,
        read_devices,
        read_examples,
        read_shard,
        writable_folder,
    )
    from eagerdiff.harness.cli.remembering import Memory
    from eagerdiff.harness.cli.summary import print_summary

    seconds, part, folder = read_budget(budget), read_shard(shard), writable_folder(out)
    copy = read_copy(journal, folder / JOURNAL, resume=resume) if journal else None
    memory = Memory(writable_folder(history)) if history is not None else None
    journals = sorted(folder.glob(f"*/{JOURNAL}" if torch else JOURNAL)) if resume else []
    drawn = seed if seed is not None else night_seed(next(iter(journals), None))
    if torch:
        from eagerdiff.harness.cli.side_by_side import Asked, side_by_side

        if shard or ray or journal:
            raise BadInput("--torch has nights one after the other: leave out --shard, --ray and --journal")
        if keep:
            raise BadInput("--keep takes what one night found: leave it out with --torch")
        lists = {"--operator": operator, "--implementation": implementation, "--device": device}
        asked = Asked(lists, drawn, seconds, from_scratch, folder, history, resume)
        raise typer.Exit(side_by_side(torch, asked, console()))
    catalog = read_catalog(operator or [], implementation or [])
    searched = [name for name, found in catalog.operators.items() if operator or not found.drawing.exploratory]
    chosen = named_implementations(catalog, implementation or [])
    plan = Plan(
        catalog=catalog,
        budget=seconds,
        operators=searched,
        implementations=chosen,
        devices=named_devices(device or []) if ray else [found.name for found in read_devices(device or [])] or None,
        seed=drawn,
        repeats=seed is not None,
        journal=folder / JOURNAL,
        out=folder,
        resume=resume,
        replay=True,
        measure=True,
        from_scratch=from_scratch,
        keep=keep,
        memory=memory,
        copy=copy,
        shard=part,
        examples=read_examples(example_database),
        fleet=FleetAsked(address=ray, runtime_env=ray_env, cpus=ray_cpus, gpu_share=ray_gpu_share) if ray else None,
    )
    terminal = console()
    terminal.print(f"seed {plan.seed}: --seed {plan.seed} draws the same again")
    done = conduct(plan, terminal)
    page = str((done.folder or folder) / "index.html")
    print_summary(terminal, done.results, page=page, defaults=catalog.defaults)
    terminal.print(f"report: {page}", soft_wrap=True)
    if done.results.patch and done.folder is not None:
        terminal.print(f"to keep what is new: git apply {done.folder / done.results.patch}", soft_wrap=True)
    raise typer.Exit(exit_code(done.results, implementations=chosen))
