"""Autotuned kernels, with one configuration: there is nothing to time here."""

from eagerdiff.harness.devices.interpreted.values import Value
from eagerdiff.harness.internals.triton_autotuner import Autotuner


def run_first(self: Autotuner, *args: Value, **kwargs: Value) -> Value:
    """Stand in for `Autotuner.run`: take the first configuration that pruning leaves."""
    self.nargs = dict(zip(self.arg_names, args, strict=False))
    pruned = self.early_config_prune(self.configs, self.nargs, **kwargs) if self.early_config_prune else self.configs
    config = self.best_config = next(iter(pruned))
    values: dict[str, Value] = {**kwargs, **config.all_kwargs()}
    if config.pre_hook is not None:
        config.pre_hook({**self.nargs, **values})
    # What is reset after a tuning run is not reset where the choice is known: a kernel may not count on it.
    try:
        return self.fn.run(*args, **values)
    finally:
        self.nargs = None
