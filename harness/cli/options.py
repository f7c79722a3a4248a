"""From what the user typed to what the engine takes; each raises BadInput in one line."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from eagerdiff.harness.cli.failure import BadInput, warn

if TYPE_CHECKING:
    from eagerdiff.harness.catalog.catalog import Catalog
    from eagerdiff.harness.devices import Device
    from eagerdiff.harness.following.segments import Mirror
    from eagerdiff.harness.model.shard import Shard


def read_budget(text: str) -> float:
    """Return a budget in seconds."""
    from eagerdiff.harness.cli.duration import parse_duration

    try:
        return parse_duration(text)
    except ValueError as error:
        raise BadInput(f"budget: {error}") from error


def night_seed(journal: Path | None) -> int:
    """Return the seed of a journal that a run goes on with; of a new one the date, as 20261126."""
    from datetime import date

    from eagerdiff.harness.campaign.events import Began
    from eagerdiff.harness.campaign.record import Record

    if journal is not None and journal.is_file():
        for event in Record(journal).events():
            if isinstance(event, Began):
                return event.seed
    return int(date.today().strftime("%Y%m%d"))


def read_catalog(operators: Sequence[str] = (), implementations: Sequence[str] = ()) -> "Catalog":
    """Describe the catalog; what the user typed, names or specs, must load, the rest may fail with a warning.

    It is loaded in a process of its own: nothing in it can be called here.
    """
    from eagerdiff.harness.catalog.plugin import typed
    from eagerdiff.harness.loading.loader import LoadError, load_apart

    try:
        return _sound(load_apart(typed(operators), typed(implementations)))
    except LoadError as error:
        raise BadInput(str(error)) from error


def read_whole_catalog(operators: Sequence[str] = (), implementations: Sequence[str] = ()) -> "Catalog":
    """Load the catalog here, to call what is in it; what ends a process that imports it is not imported."""
    from eagerdiff.harness.catalog.catalog import has_strangers, load
    from eagerdiff.harness.catalog.conformance import misfit_of_build
    from eagerdiff.harness.catalog.plugin import typed

    given = typed(operators), typed(implementations)
    strangers = read_catalog(operators, implementations).strangers if has_strangers(*given) else ()
    return _sound(load(*given, misfit=misfit_of_build, strangers=strangers))


def names_only(operators: Iterable[str]) -> list[str]:
    """Return the operators that a file names; none is imported that no installed package declares."""
    found = sorted(operators)
    if foreign := [name for name in found if ":" in name]:
        raise BadInput(f"{foreign[0]!r} stands in a file, and is not imported: give it with --operator if you trust it")
    return found


def _sound(catalog: "Catalog") -> "Catalog":
    """Return a catalog in which is what the user named; warn of the rest."""
    for line in catalog.refused.values():
        raise BadInput(line)
    warn(catalog.problems)
    return catalog


def read_devices(names: Sequence[str]) -> list["Device"]:
    """Return the devices by name; each must be there."""
    from eagerdiff.harness import devices

    found: list[Device] = []
    for name in names:
        try:
            device = devices.parse(name)
        except ValueError as error:
            raise BadInput(f"no such device: {error}") from error
        if reason := device.unavailable():
            raise BadInput(f"device {name} is not available: {reason}")
        found.append(device)
    return found


def named_devices(names: Sequence[str]) -> list[str] | None:
    """Return the names of devices, which need not be here; None where none is named."""
    from eagerdiff.harness import devices

    try:
        return [devices.parse(name).name for name in names] or None
    except ValueError as error:
        raise BadInput(f"no such device: {error}") from error


def read_copy(url: str, path: Path, *, resume: bool) -> "Mirror":
    """Return what copies a journal to a store; to go on, what the store has more is written here first."""
    from eagerdiff.harness.cli.failure import in_writing
    from eagerdiff.harness.following.segments import Mirror, Store, StoreError

    try:
        mirror = Mirror(path, Store(url))
        if resume:
            with in_writing(path.parent):
                mirror.restore()
        else:
            mirror.begin()
    except StoreError as error:
        raise BadInput(str(error)) from error
    return mirror


def read_shard(text: str | None) -> "Shard":
    """Return a part of a campaign; the whole where none is named."""
    from eagerdiff.harness.model.shard import WHOLE, Shard

    try:
        return WHOLE if text is None else Shard.parse(text)
    except ValueError as error:
        raise BadInput(f"shard: {error}") from error


def read_examples(where: str) -> str:
    """Return the address of an example database, or the whole path of its folder; empty where none is named."""
    from eagerdiff.harness.search.examples import NoExamples, open_examples

    if not where:
        return ""
    try:
        open_examples(where)
    except NoExamples as error:
        raise BadInput(f"example database: {error}") from error
    return where if "://" in where else str(Path(where).expanduser().absolute())


def available_devices() -> list["Device"]:
    """Return the devices that run on this machine."""
    from eagerdiff.harness import devices

    return [
        device for device in map(devices.parse, ("cpu", "host", "interpreted", "cuda")) if device.unavailable() is None
    ]


def named_implementations(catalog: "Catalog", given: Sequence[str]) -> list[str] | None:
    """Return the implementations asked for by name (of any operator) or spec; None where none was named."""
    known = {name for found in catalog.implementations.values() for name in found}
    known |= {f"{operator}/{name}" for operator, found in catalog.implementations.items() for name in found}
    chosen: list[str] = []
    for text in given:
        if text not in catalog.specs and text not in known:
            from eagerdiff.harness.catalog.catalog import unknown

            raise BadInput(unknown("implementation", text, known))
        chosen += catalog.specs.get(text, [text])
    return list(dict.fromkeys(chosen)) or None


def writable_folder(path: Path) -> Path:
    """Make a folder and return it; it must take files."""
    import os

    try:
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise BadInput(f"cannot make the folder {path}: {_why(error)}") from error
    if not os.access(path, os.W_OK):
        raise BadInput(f"the folder {path} is not writable")
    return path


def writable_file(path: Path | None) -> Path | None:
    """Return the path of a file to write; its folder must take files."""
    if path is None:
        return None
    try:
        if path.is_dir():
            raise BadInput(f"{path} is a folder, not a file")
    except (OSError, ValueError) as error:  # a name that is too long, or holds a zero byte
        raise BadInput(f"cannot write {path}: {_why(error)}") from error
    writable_folder(path.parent)
    return path


def _why(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def slots() -> int:
    """Return how many workers run at once: one a core."""
    import os

    return len(os.sched_getaffinity(0))
