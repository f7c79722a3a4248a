"""Drawing serving traces: prompts whole or in chunks, drafts right and wrong, requests preempted and ended."""

import functools
from typing import Any

from hypothesis import strategies as st

from eagerdiff.strategies.cases.decoder import DecoderCase, Step
from eagerdiff.strategies.sizes import sizes

_MOST_STEPS = 4
_ROUTINGS = ((4, 2, 1, 2), (4, 1, 1, 1), (8, 4, 2, 3), (6, 3, 2, 2), (16, 4, 2, 4))
"""(experts, groups, kept groups, experts a token)."""


def cases() -> st.SearchStrategy[DecoderCase]:
    """Draw any trace of any small decoder; shrinks to one token of one request."""
    return st.tuples(_statics(), _dynamics()).map(lambda parts: DecoderCase(**parts[0], **parts[1]))


def cases_like(case: DecoderCase) -> st.SearchStrategy[DecoderCase]:
    """Draw a trace of a decoder like that of `case`."""
    return _dynamics().map(lambda fields: DecoderCase(**dict(case.static_key), **fields))


@functools.cache
def _statics() -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            "depth": st.sampled_from(((2, 1), (3, 1), (1, 0), (2, 0), (3, 1), (1, 1))),
            "hidden": st.sampled_from((32, 48, 64)),
            "heads": st.sampled_from((2, 1, 4)),
            "nope": st.sampled_from((8, 12, 16)),
            "rope": st.sampled_from((4, 8)),
            "latent": st.sampled_from((16, 24, 32)),
            "value_dim": st.sampled_from((8, 12, 16)),
            "routing": st.sampled_from(_ROUTINGS),
            "intermediate": st.sampled_from((16, 24, 32)),
            "scaling": st.sampled_from((2.5, 1.0)),
            "vocabulary": st.sampled_from((16, 5, 33)),
            "exit_margin": st.sampled_from((None, 2.0, 0.5, 4.0)),
            "block_size": st.sampled_from((4, 2, 5, 1, 8)),
            "num_blocks": st.sampled_from((12, 4, 32)),
            "table": st.sampled_from(("wide", "tight")),
        }
    ).map(_unzip)


def _unzip(fields: dict[str, Any]) -> dict[str, Any]:
    layers, dense_layers = fields.pop("depth")
    experts, num_groups, kept_groups, top_k = fields.pop("routing")
    routing = {"experts": experts, "num_groups": num_groups, "kept_groups": kept_groups, "top_k": top_k}
    return fields | routing | {"layers": layers, "dense_layers": dense_layers}


@functools.cache
def _dynamics() -> st.SearchStrategy[dict[str, Any]]:
    # Lists of a length that is drawn first: by themselves they are mostly short.
    lengths = st.integers(1, _MOST_STEPS)
    drawn = lengths.flatmap(lambda length: st.tuples(steps(least=1), *(steps() for _ in range(length - 1))))
    certainty = st.sampled_from((1.0, 0.5, 2.0, 4.0))
    return st.fixed_dictionaries({"steps": drawn, "certainty": certainty, "seed": st.integers(0, 2**32 - 1)})


@functools.cache
def steps(least: int = 0) -> st.SearchStrategy[Step]:
    """Draw one step of a trace; `least` tokens of a prompt arrive."""
    arriving = sizes(min_value=least, max_value=7, edges=(4,))
    chunk = st.sampled_from((16, 1, 3, 4, 5))
    victim = st.sampled_from((0, 0, 0, 2, 4, 6, 1, 3))
    return st.tuples(arriving, chunk, st.sampled_from((0, 0, 1, 3)), victim)
