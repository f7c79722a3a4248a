"""Hiring a fleet for a night: from what the user typed to crews that have said hello."""

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from eagerdiff.harness.cli.failure import BadInput

if TYPE_CHECKING:
    from eagerdiff.harness.catalog.catalog import Catalog
    from eagerdiff.harness.fleet import Fleet
    from eagerdiff.harness.triage.known import Known


@dataclass(frozen=True, kw_only=True)
class FleetAsked:
    """Say which cluster works on a night."""

    address: str
    runtime_env: Path | None = None
    cpus: int = 0
    gpu_share: float = 1.0


def hire(
    asked: FleetAsked,
    catalog: "Catalog",
    searched: Sequence[str],
    devices: Sequence[str],
    known: "Known",
    examples: str,
    stack: contextlib.ExitStack,
) -> "Fleet":
    """Return the crews of a cluster, which end with `stack`; raise BadInput where there is none, or none is of use."""
    from eagerdiff.harness.campaign.campaign import build_of
    from eagerdiff.harness.catalog.plugin import Spec
    from eagerdiff.harness.fleet import Fleet, Setup
    from eagerdiff.harness.fleet.on_ray import Cluster, OnRay, RayError
    from eagerdiff.harness.results.environment import environment

    setup = Setup(
        build=build_of(environment()),
        operators=[Spec(spec) for spec, named in catalog.specs.items() if ":" in spec and "/" not in "".join(named)],
        implementations=[Spec(spec) for spec, named in catalog.specs.items() if ":" in spec and "/" in "".join(named)],
        searched=list(searched),
        devices=list(devices),
        examples=examples,
        failures=sorted(known.failures, key=str),
        causes=[(cause, sorted(names, key=str)) for cause, names in known.causes.items()],
    )
    cluster = Cluster(
        address=asked.address,
        runtime_env=_runtime_env(asked.runtime_env),
        cpus=asked.cpus,
        gpu_share=asked.gpu_share,
    )
    try:
        return Fleet(stack.enter_context(OnRay(cluster, setup)))
    except RayError as error:
        raise BadInput(str(error)) from error


def _runtime_env(path: Path | None) -> dict[str, Any]:
    """Return what a file says of each crew's Python, in Ray's words (`runtime_env`), as YAML."""
    from eagerdiff.harness.reading import RECORD, Unreadable, parse_yaml, read_text

    if path is None:
        return {}
    try:
        found = parse_yaml(read_text(path, RECORD), RECORD)
    except Unreadable as error:
        raise BadInput(f"{path} {error}") from error
    if not isinstance(found, dict):
        raise BadInput(f"{path} is no runtime_env of Ray: write a mapping, such as `working_dir: .`")
    return cast("dict[str, Any]", found)
