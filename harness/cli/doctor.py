"""`eagerdiff doctor`: what is installed here, what of it can be used, and why the rest could not."""

import dataclasses
import json
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from eagerdiff.harness.diagnosis.diagnosis import Diagnosis


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> int:
    """Say which versions, compilers, devices, hooks into private parts and implementations there are; start devices.

    Ends with 2 where the main job could not be done: no torch, or the device cpu or interpreted cannot start.
    """
    from eagerdiff.harness.cli.console import console
    from eagerdiff.harness.diagnosis.diagnosis import diagnose

    found = diagnose()
    if as_json:
        print(json.dumps(dataclasses.asdict(found), indent=1))
    else:
        _print(console(), found)
    return 2 if found.problems else 0


def _print(out: "Console", found: "Diagnosis") -> None:
    from eagerdiff.harness.cli.console import table

    versions = table("versions", "package", "installed", "supported", "")
    for version in found.versions:
        versions.add_row(
            version.name, version.version or "none", version.range, "" if version.inside else "OUTSIDE THE RANGE"
        )
    out.print(versions)
    compilers = table("C++ compilers", "name", "path")
    for compiler in found.compilers:
        compilers.add_row(compiler.name, compiler.path or "not found")
    out.print(compilers)
    devices = table("devices", "device", "")
    for device in found.devices:
        devices.add_row(device.name, device.reason or "can be used")
    out.print(devices)
    _print_hooks(out, found)
    _print_implementations(out, found)
    for warning in found.warnings:
        out.print(f"warning: {warning}", soft_wrap=True)
    for problem in found.problems:
        out.print(f"PROBLEM: {problem}", soft_wrap=True)


def _print_hooks(out: "Console", found: "Diagnosis") -> None:
    from eagerdiff.harness.cli.console import table

    hooks = table("private parts that are reached for", "file", "hook", "", "which")
    for hook in found.hooks:
        hooks.add_row(hook.file, hook.path, hook.state.value, hook.why)
    out.print(hooks)


def _print_implementations(out: "Console", found: "Diagnosis") -> None:
    from eagerdiff.harness.cli.console import table

    rows = table("implementations", "operator", "implementation", "runs here on", "why not")
    for one in found.implementations:
        rows.add_row(one.operator, one.name, ", ".join(one.devices) or "nothing", one.reason)
    out.print(rows)
