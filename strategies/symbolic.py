"""Cases of `symbolic`: a program, then the sizes and counts in which its calls differ."""

from collections.abc import Mapping

import torch
from hypothesis import strategies as st

from eagerdiff import Inputs, Workload
from eagerdiff.strategies.cases.symbolic import SymbolicCase
from eagerdiff.strategies.layouts import place
from eagerdiff.strategies.model_inputs import MODELS
from eagerdiff.strategies.sizes import sizes
from eagerdiff.strategies.symbolic_inputs import PROGRAMS, Draft

LARGEST = 128
MOST_TOKENS = 1024
Bounds = Mapping[str, tuple[int, int | None]]
"""Least and greatest size by name; None: any."""
ANY = (0, None)
EVERY = {**PROGRAMS, **MODELS}
"""The programs and the models."""


def inputs(case: SymbolicCase, device: str) -> Inputs:
    """Build the tensors of a case on a torch device; raise KeyError for a program that is not there."""
    draft = Draft(
        {"batch": case.batch, "seq": case.seq, "count": case.count, "width": case.width},
        dtype=getattr(torch, case.dtype),
        layout=case.layout,
        generator=torch.Generator().manual_seed(case.seed),
    )
    tensors = EVERY[case.program].build(draft)
    return Inputs(tuple(place(tensor, device) for tensor in tensors), {"program": case.program})


def check_inputs(case: SymbolicCase) -> str | None:
    """Return why a case is outside its program's domain, or None."""
    spec = EVERY.get(case.program)
    if spec is None:
        return f"no program {case.program!r}"
    if case.seq < spec.least_seq:
        return f"{case.program} needs a sequence of at least {spec.least_seq}"
    least, most = spec.counts(case.batch, case.seq)
    return None if least <= case.count <= most else f"{case.program} needs a count in [{least}, {most}]"


def within(case: SymbolicCase, bounds: Bounds) -> SymbolicCase:
    """Return the call nearest to one whose sizes are within bounds, by name, as far as its program has such a call."""
    batch, seq = (_into(size, *bounds.get(name, ANY)) for name, size in (("batch", case.batch), ("seq", case.seq)))
    fewest, most = EVERY[case.program].counts(batch, seq)
    count = _into(case.count, *bounds.get("cache", bounds.get("count", ANY)))
    return case.model_copy(update={"batch": batch, "seq": seq, "count": _into(count, fewest, most)})


def _into(size: int, least: int, most: int | None) -> int:
    return max(size if most is None else min(size, most), least)


@st.composite
def cases(draw: st.DrawFn, programs: tuple[str, ...] = tuple(PROGRAMS)) -> SymbolicCase:
    """Draw the program first, then what selects an artifact, then the sizes."""
    fixed = SymbolicCase(
        program=draw(st.sampled_from(programs)),
        dtype=draw(st.sampled_from(("float32", "float32", "bfloat16", "float16", "float64"))),
        layout=draw(st.sampled_from(("contiguous", "contiguous", "transposed", "strided", "offset", "expanded"))),
        width=draw(st.sampled_from((8, 1, 16, 20))),
        batch=0,
    )
    return draw(_sized(fixed, _batches(), None))


def in_float64(workload: Workload[SymbolicCase]) -> Workload[SymbolicCase] | None:
    """Return the same calls in float64; None where they are."""
    if workload.cases[0].dtype == "float64":
        return None
    return Workload(tuple(case.model_copy(update={"dtype": "float64"}) for case in workload.cases))


def workload_cases(case: SymbolicCase) -> st.SearchStrategy[SymbolicCase]:
    """Draw a further call under the same static fields: another batch, another sequence, another count, or all."""
    batch, seq = st.just(case.batch), case.seq
    further = [_sized(case, _batches(), None), _sized(case, batch, None), _sized(case, batch, seq)]
    if case.batch * seq <= MOST_TOKENS:
        further.append(_sized(case, _batches(MOST_TOKENS // max(seq, 1)), seq))
    return st.one_of(further)


def _batches(most: int = LARGEST) -> st.SearchStrategy[int]:
    return _small_first(0, min(most, LARGEST))


def _small_first(least: int, most: int) -> st.SearchStrategy[int]:
    """Draw small sizes more often: they are as hard, and cheap wherever programs run one after another."""
    reaches = sorted({min(most, max(least, reach)) for reach in (9, 33, most)})
    return st.one_of([sizes(min_value=least, max_value=reach) for reach in reaches])


@st.composite
def _sized(draw: st.DrawFn, case: SymbolicCase, batches: st.SearchStrategy[int], seq: int | None) -> SymbolicCase:
    spec = EVERY[case.program]
    batch = draw(batches)
    if not spec.has_seq:
        seq = 1
    elif seq is None:
        most = max(min(LARGEST, MOST_TOKENS // max(batch, 1)), spec.least_seq)
        seq = draw(_small_first(spec.least_seq, most))
    least, most = spec.counts(batch, seq)
    count = draw(_small_first(least, most))
    seed = draw(st.integers(0, 2**16 - 1))
    return case.model_copy(update={"batch": batch, "seq": seq, "count": count, "seed": seed})
