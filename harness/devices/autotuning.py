"""Autotuned kernels where there is nothing to time: the first configuration is taken."""

from collections.abc import Callable
from typing import Any

from eagerdiff.harness.internals.triton_autotuner import METHODS, Autotuner


def take_first(note: Callable[[Autotuner, str], None] = lambda *_: None) -> None:
    """Have every autotuner of this process take the first configuration that pruning leaves; tell `note` which."""

    def run(self: Autotuner, *args: Any, **kwargs: Any) -> Any:
        self.nargs = dict(zip(self.arg_names, args, strict=False))
        prune = self.early_config_prune
        pruned = prune(self.configs, self.nargs, **kwargs) if prune else self.configs
        config = self.best_config = next(iter(pruned))
        note(self, str(config))
        values: dict[str, Any] = {**kwargs, **config.all_kwargs()}
        if config.pre_hook is not None:
            config.pre_hook({**self.nargs, **values})
        # What is reset after a tuning run is not reset where the choice is known: a kernel may not count on it.
        try:
            return self.fn.run(*args, **values)
        finally:
            self.nargs = None

    METHODS["run"].replace(run)
