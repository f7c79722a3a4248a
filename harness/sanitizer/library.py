"""What a library registers for torch's GPU, run over torch's own table of operations, checked, and held against torch.

`python -m eagerdiff.harness.sanitizer.library flag_gems:use_gems` calls every entry of torch's `op_db` with its
sample inputs, in the context that the name stands for, as `eagerdiff sanitize` runs a program: no GPU, kernels compiled
for this machine and every access checked. Values are held against the processor's by `torch.testing.assert_close`, with
its own tolerances. It prints a line for each thing that a kernel does wrong, each entry with wrong values, each that
raises; then how much was run. Names of entries after it choose among them.
"""

import argparse
import contextlib
import importlib
import itertools
import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from eagerdiff.harness.sanitizer.record import Record
from eagerdiff.harness.sanitizer.session import environment, session

SAMPLES = int(os.environ.get("EAGERDIFF_SAMPLES", "12"))
"""Of an entry and dtype at most."""
SECONDS = int(os.environ.get("EAGERDIFF_SECONDS", "60"))
"""Of an entry and dtype."""
DTYPES = ("float32", "float16", "int64", "bool")


class Late(BaseException):
    """Tell that an entry takes too long; no program catches it."""


@dataclass
class Found:
    """Count what was run, and keep the first of each thing that is wrong."""

    entries: set[str] = field(default_factory=set[str])
    operations: set[str] = field(default_factory=set[str])
    """Of torch's, whose registered kernel was called."""
    samples: int = 0
    late: int = 0
    wrong: dict[str, str] = field(default_factory=dict[str, str])
    """Entry → the first sample that differs."""
    raised: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    """Entry and error → the first sample that raises it."""
    faults: Counter[str] = field(default_factory=Counter[str])

    def lines(self) -> Iterator[str]:
        """Return what is printed."""
        yield from (f"{told}; {count} entries" for told, count in self.faults.items())
        yield from (f"wrong: {name}: {said}" for name, said in self.wrong.items())
        yield from (f"raised: {name}: {error}: {said}" for (name, error), said in self.raised.items())
        yield (
            f"{self.samples} samples of {len(self.entries)} entries, which call {len(self.operations)} of what is "
            f"registered; {self.late} took longer than {SECONDS} s"
        )


def run(context: Callable[[], Any], chosen: set[str], record: Record) -> Found:
    """Call the entries that call something registered."""
    import torch

    from eagerdiff.harness.internals.torch_tables import op_db
    from eagerdiff.harness.sanitizer.registered import Registered

    found = Found()
    for entry in op_db():
        for name in DTYPES:
            dtype = getattr(torch, name)
            if dtype not in entry.dtypes or (chosen and entry.full_name not in chosen):
                continue
            before = record.counts()
            Registered.called.clear()
            signal.alarm(SECONDS)
            try:
                torch.manual_seed(0)
                for sample in itertools.islice(entry.sample_inputs("cpu", dtype, requires_grad=False), SAMPLES):
                    _compare(entry, f"{entry.full_name} {name}", sample, context, found)
            except Late:
                found.late += 1
            finally:
                signal.alarm(0)
            if Registered.called:
                found.entries.add(entry.full_name)
                found.operations |= Registered.called
            found.faults.update(one.describe().splitlines()[0] for one in record.since(before))
    return found


def _compare(entry: Any, name: str, sample: Any, context: Callable[[], Any], found: Found) -> None:
    """Call one entry on both sides."""
    import torch
    from torch.utils._pytree import tree_leaves, tree_map

    def copied(value: Any) -> Any:
        return value.detach().clone() if isinstance(value, torch.Tensor) else value

    def there(value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            return value.detach().clone().to("cuda")
        return torch.device("cuda") if isinstance(value, torch.device) or value == "cpu" else value

    def called(how: Callable[[Any], Any]) -> Any:
        given = (sample.input, sample.args, sample.kwargs)
        first, args, kwargs = tree_map(how, given)
        return entry.op(first, *args, **kwargs)

    said = f"{[tuple(one.shape) for one in tree_leaves((sample.input, sample.args)) if isinstance(one, torch.Tensor)]} "
    said += str({key: value for key, value in sample.kwargs.items() if not isinstance(value, torch.Tensor)})
    try:
        wanted = called(copied)
    except Exception:  # noqa: BLE001 - what eager refuses is not what is asked here
        return
    try:
        with context():
            result = called(there)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is told
        last = next(iter(str(error).strip().splitlines()[-1:]), "")
        found.raised.setdefault((name, f"{type(error).__name__}: {last[:120]}"), said)
        return
    found.samples += 1
    wants, gots = tree_leaves(wanted), tree_leaves(result)
    if len(wants) != len(gots):
        found.wrong.setdefault(name, f"{said}: {len(gots)} results where torch has {len(wants)}")
        return
    for want, got in zip(wants, gots, strict=True):
        if isinstance(want, torch.Tensor) and want.layout is torch.strided:
            try:
                torch.testing.assert_close(got.cpu() if isinstance(got, torch.Tensor) else got, want, equal_nan=True)
            except (AssertionError, TypeError) as error:  # of other types: what is no tensor has none to compare
                found.wrong.setdefault(name, f"{said}: {' '.join(str(error).split())[:160]}")


def _late(*_: object) -> None:
    raise Late


def main(arguments: Sequence[str]) -> None:
    """Import the library once the GPU is there, and run."""
    parser = argparse.ArgumentParser(prog="python -m eagerdiff.harness.sanitizer.library")
    parser.add_argument("library", help="a module, and after a colon the context in which its kernels are registered")
    parser.add_argument("entries", nargs="*", help="of torch's op_db; all, where none is named")
    given = parser.parse_args(arguments)
    module, _, name = str(given.library).partition(":")
    os.environ.update(environment())
    signal.signal(signal.SIGALRM, _late)
    with session() as record:
        try:
            library = importlib.import_module(module)
            context = getattr(library, name) if name else contextlib.nullcontext
        except (ImportError, AttributeError) as error:
            parser.error(str(error))
        for line in run(context, set(given.entries), record).lines():
            print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
