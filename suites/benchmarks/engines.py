"""Other compilers and runtimes on a few programs, as multiples of eager's time. More is worse.

Each has an environment of its own, beside asv's: `.asv/env/*/bin/python -m eagerdiff.compiled.engines`.
"""

from eagerdiff import parse_device, unmet
from eagerdiff.suites.engine_table.line import Line
from eagerdiff.suites.engine_table.measuring import measure_one, ways

PROGRAMS = ("mlp", "softmax_pool", "causal_attention", "padded_block", "moe_block")
WAYS = {one.name: one for one in ways()}


class Engines:
    """Compile a program by one way, time it and eager in turn, and judge it at seven sizes."""

    version = "1"
    timeout = 300
    param_names = ("way", "program")
    params = ([*WAYS], [*PROGRAMS])

    def setup(self, way: str, program: str) -> None:
        """Measure it; skip it where the engine is not installed, and where no call is right."""
        if reason := unmet(WAYS[way].requires, parse_device("cpu")):
            raise NotImplementedError(reason)
        self.line: Line = measure_one(WAYS[way], program)
        if "to_eager" not in self.line.figures:
            raise NotImplementedError(self.line.missing.get("to_eager", self.line.why))

    def track_to_eager(self, way: str, program: str) -> float:
        """Metric the time of a call, once compiled, as a multiple of eager's: the median of rounds in turn."""
        return self.line.figures["to_eager"]

    track_to_eager.unit = "times"  # type: ignore[attr-defined]

    def track_artifacts(self, way: str, program: str) -> float:
        """Metric the compilations over seven sizes: 1 is one artifact for all."""
        return self.line.figures["artifacts"]

    track_artifacts.unit = "artifacts"  # type: ignore[attr-defined]
