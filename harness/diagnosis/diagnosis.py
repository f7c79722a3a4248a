"""The diagnosis: versions, compilers, devices, hooks into private parts, implementations."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from eagerdiff.harness.devices import NAMES, Device, parse
from eagerdiff.harness.diagnosis.installation import Place, Version, compilers, versions
from eagerdiff.harness.diagnosis.starting import why_not
from eagerdiff.harness.internals.hook import State
from eagerdiff.harness.internals.inventory import inventory
from eagerdiff.harness.internals.releases import installed

ESSENTIAL = ("cpu", "interpreted")
"""Devices without which the default run judges next to nothing."""


@dataclass(frozen=True)
class Usable:
    """Say whether a device can be used."""

    name: str
    reason: str
    """Why not; '' where it can."""


@dataclass(frozen=True)
class Reached:
    """Say what became of a hook."""

    file: str
    """The file of `harness/internals` that reaches for it."""
    path: str
    of: str
    state: State
    why: str


@dataclass(frozen=True)
class Runnable:
    """Say where an implementation would run."""

    operator: str
    name: str
    devices: tuple[str, ...]
    """Those here on which it would."""
    reason: str
    """Why it would run nowhere; '' where it would."""


@dataclass
class Diagnosis:
    """Hold what was found."""

    versions: list[Version] = field(default_factory=list[Version])
    compilers: list[Place] = field(default_factory=list[Place])
    devices: list[Usable] = field(default_factory=list[Usable])
    hooks: list[Reached] = field(default_factory=list[Reached])
    implementations: list[Runnable] = field(default_factory=list[Runnable])
    problems: list[str] = field(default_factory=list[str])
    """Why the main job could not be done, one line each; empty where it could."""
    warnings: list[str] = field(default_factory=list[str])
    """What else is wrong: a plug-in that does not load."""


def diagnose() -> Diagnosis:
    """Look at everything; takes as long as starting each device does, and raises for nothing that is missing."""
    devices = [parse(name) for name in NAMES]
    found = Diagnosis(list(versions()), list(compilers()))
    found.devices = [Usable(device.name, why_not(device)) for device in devices]
    found.hooks = list(hooks())
    reasons = {usable.name: usable.reason for usable in found.devices}
    found.problems = list(_problems(found, reasons))
    if installed("torch") is not None:
        found.implementations = list(_implementations(devices, reasons, found.warnings))
    return found


def hooks() -> Iterator[Reached]:
    """Ask each hook into private parts what became of it."""
    for file, reached in inventory().items():
        for hook in reached:
            yield Reached(file, hook.path, hook.of, hook.state(), hook.why)


def _problems(found: Diagnosis, reasons: Mapping[str, str]) -> Iterator[str]:
    for version in found.versions:
        if version.version is None and version.range:
            yield f"{version.name} is not installed"
    for name in ESSENTIAL:
        if reasons[name]:
            yield f"device {name} cannot start: {reasons[name]}"


def _implementations(devices: list[Device], reasons: Mapping[str, str], warnings: list[str]) -> Iterator[Runnable]:
    from eagerdiff.harness.catalog.catalog import load
    from eagerdiff.harness.catalog.requirements import unmet

    catalog = load()
    warnings += catalog.problems
    for operator, implementations in sorted(catalog.implementations.items()):
        for name, implementation in sorted(implementations.items()):
            kinds = [device for device in devices if implementation.runs_on(device.kind)]
            why = {
                device.name: reasons[device.name] or unmet(implementation.requires, device) or "" for device in kinds
            }
            here = tuple(device for device, reason in why.items() if not reason)
            reason = "" if here else "; ".join(f"{device}: {reason}" for device, reason in why.items())
            yield Runnable(operator, name, here, reason)
