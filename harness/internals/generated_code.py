"""The code that Inductor generates while something runs."""

from collections.abc import Callable

from eagerdiff.harness.internals.dynamo_config import FUNCTORCH, INDUCTOR, patched
from eagerdiff.harness.internals.hook import Hook

SAVE = Hook(
    "torch",
    "torch._inductor.graph:GraphLowering.save_output_code",
    "is told the code of each graph that Inductor lowers",
    since="2.6",
)
HOOKS = {"save": SAVE}


def generated_by(run: Callable[[], object]) -> list[str]:
    """Return the text of each graph's code that is generated while something runs, in turn; none is taken from disk."""
    met: list[str] = []
    before = SAVE.replace(staticmethod(met.append))
    try:
        with patched(INDUCTOR, {"fx_graph_cache": False}), patched(FUNCTORCH, {"enable_autograd_cache": False}):
            run()
    finally:
        SAVE.replace(staticmethod(before))
    return met
