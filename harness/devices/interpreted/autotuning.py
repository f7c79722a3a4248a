"""Autotuned kernels, with one configuration: there is nothing to time here."""

from typing import Any, cast

from eagerdiff.harness.devices.interpreted.builder import CheckedBuilder
from eagerdiff.harness.devices.interpreted.values import Value
from eagerdiff.harness.internals.triton_autotuner import Autotuner
from eagerdiff.harness.internals.triton_interpreter import interpreter


def run_first(self: Autotuner, *args: Value, **kwargs: Value) -> Value:
    """Stand in for `Autotuner.run`: take the first configuration that pruning leaves."""
    self.nargs = dict(zip(self.arg_names, args, strict=False))
    pruned = self.early_config_prune(self.configs, self.nargs, **kwargs) if self.early_config_prune else self.configs
    config = self.best_config = next(iter(pruned))
    _note(self, str(config))
    values: dict[str, Value] = {**kwargs, **config.all_kwargs()}
    if config.pre_hook is not None:
        config.pre_hook({**self.nargs, **values})
    # What is reset after a tuning run is not reset where the choice is known: a kernel may not count on it.
    try:
        return self.fn.run(*args, **values)
    finally:
        self.nargs = None


def _note(tuner: Autotuner, chosen: str) -> None:
    """Note a choice in the coverage of the kernel, whatever else is wrapped around that."""
    function: Any = tuner.fn
    while hasattr(function, "fn"):
        function = function.fn
    builder = cast(CheckedBuilder, interpreter.interpreter_builder)
    builder.coverage.of(function).choose(chosen, len(tuner.configs))
