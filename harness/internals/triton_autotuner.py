"""Triton's autotuner: how it runs a kernel, and how it times one choice."""

from typing import TYPE_CHECKING

from eagerdiff.harness.internals.hook import Hook, reaching

_HOME = "triton.runtime.autotuner:Autotuner"
HOOKS = {"Autotuner": Hook("triton", _HOME, "chooses a configuration", since="3.6")}
METHODS = {
    "run": Hook("triton", f"{_HOME}.run", "is replaced where nothing can be timed", since="3.6"),
    "prune_configs": Hook("triton", f"{_HOME}.prune_configs", "leaves the choices to take from", since="3.6"),
    "bench": Hook("triton", f"{_HOME}._bench", "counts what is timed", since="3.6", parameters=("config",)),
}

if TYPE_CHECKING:
    from triton.runtime.autotuner import Autotuner as Autotuner
else:
    __getattr__ = reaching(__name__, HOOKS)
