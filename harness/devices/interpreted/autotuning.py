"""What autotuned kernels choose, noted in their coverage."""

from typing import Any, cast

from eagerdiff.harness.devices.interpreted.builder import CheckedBuilder
from eagerdiff.harness.internals.triton_autotuner import Autotuner
from eagerdiff.harness.internals.triton_interpreter import interpreter


def note_choice(tuner: Autotuner, chosen: str) -> None:
    """Note a choice in the coverage of the kernel, whatever else is wrapped around that."""
    function: Any = tuner.fn
    while hasattr(function, "fn"):
        function = function.fn
    builder = cast(CheckedBuilder, interpreter.interpreter_builder)
    builder.coverage.of(function).choose(chosen, len(tuner.configs))
