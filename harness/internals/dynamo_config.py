"""Settings of Dynamo, of symbolic shapes and of Inductor: the modules that hold them."""

import contextlib
from collections.abc import Mapping
from typing import Any

from eagerdiff.harness.internals.hook import Hook

DYNAMO = "torch._dynamo.config"
SHAPES = "torch.fx.experimental._config"
INDUCTOR = "torch._inductor.config"
FUNCTORCH = "torch._functorch.config"
HOOKS = {
    DYNAMO: Hook("torch", f"{DYNAMO}:patch", "sets how Dynamo compiles", since="2.0"),
    SHAPES: Hook("torch", f"{SHAPES}:patch", "sets how sizes become symbols", since="2.6"),
    INDUCTOR: Hook("torch", f"{INDUCTOR}:patch", "sets how Inductor compiles", since="2.0"),
    FUNCTORCH: Hook("torch", f"{FUNCTORCH}:patch", "sets how AOTAutograd compiles", since="2.0"),
}
TEXTS = {
    module: Hook("torch", f"{module}:codegen_config", "gives another process the same settings", since="2.5")
    for module in (DYNAMO, INDUCTOR, FUNCTORCH)
}
SETTINGS = {
    "recompile_limit": Hook("torch", f"{DYNAMO}:recompile_limit", "keeps eager out of comparisons", since="2.6"),
    "accumulated_recompile_limit": Hook(
        "torch", f"{DYNAMO}:accumulated_recompile_limit", "keeps eager out of comparisons", since="2.6"
    ),
    "capture_scalar_outputs": Hook("torch", f"{DYNAMO}:capture_scalar_outputs", "traces `.item()`", since="2.0"),
    "capture_dynamic_output_shape_ops": Hook(
        "torch", f"{DYNAMO}:capture_dynamic_output_shape_ops", "traces `nonzero`", since="2.0"
    ),
    "backed_size_oblivious": Hook("torch", f"{SHAPES}:backed_size_oblivious", "is the mode `oblivious`", since="2.7"),
    "nested_graph_breaks": Hook("torch", f"{DYNAMO}:nested_graph_breaks", "is what a claim is about", since="2.9"),
    "freezing": Hook("torch", f"{INDUCTOR}:freezing", "has products with constants tuned", since="2.0"),
    "cpu_backend": Hook("torch", f"{INDUCTOR}:cpu_backend", "has Inductor write Triton with no GPU", since="2.5"),
    "compile_threads": Hook("torch", f"{INDUCTOR}:compile_threads", "compiles in the worker itself", since="2.0"),
    "fx_graph_cache": Hook("torch", f"{INDUCTOR}:fx_graph_cache", "has each compilation counted", since="2.2"),
    "autotune_local_cache": Hook("torch", f"{INDUCTOR}:autotune_local_cache", "has each choice counted", since="2.5"),
    "enable_autograd_cache": Hook("torch", f"{FUNCTORCH}:enable_autograd_cache", "has each counted", since="2.4"),
}
"""Settings that are relied on, by name: one that was renamed would be set to no effect."""


def patched(module: str, settings: Mapping[str, Any]) -> contextlib.AbstractContextManager[Any]:
    """Set settings of a module inside; raise Gone where the module is another."""
    return HOOKS[module].reach()(dict(settings))


def compile_here() -> None:
    """Have Inductor compile in this process, not in a pool of its own."""
    SETTINGS["compile_threads"].replace(1)


def emit_triton() -> None:
    """Have Inductor write for the processor what it writes for GPUs."""
    SETTINGS["cpu_backend"].replace("triton")


def switch_graph_caches_off() -> None:
    """Compile every graph anew: one taken from disk is a compilation that nobody counts.

    Generated C++ is still kept by its content.
    """
    for name in ("fx_graph_cache", "autotune_local_cache", "enable_autograd_cache"):
        SETTINGS[name].replace(False)


def settings_as_source() -> str:
    """Return statements that set what is set here of Dynamo, Inductor and AOTAutograd, in another process."""
    return "\n".join(hook.reach()() for hook in TEXTS.values())
