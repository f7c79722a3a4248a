"""Triton's knobs: the hooks that it calls when it compiles, specialises and launches."""

from eagerdiff.harness.internals.hook import Hook

HOOKS = {
    "runtime": Hook("triton", "triton.knobs:runtime", "holds Triton's hooks", since="3.6"),
    "listener": Hook("triton", "triton.knobs:compilation.listener", "sees each compilation", since="3.6"),
    "debugging": Hook("triton", "triton.knobs:compilation.front_end_debugging", "asks for tracebacks", since="3.6"),
    "jit_cache_hook": Hook("triton", "triton.knobs:runtime.jit_cache_hook", "counts specialisations", since="3.6"),
    "jit_post_compile_hook": Hook(
        "triton", "triton.knobs:runtime.jit_post_compile_hook", "describes specialisations", since="3.6"
    ),
    "launch_enter_hook": Hook("triton", "triton.knobs:runtime.launch_enter_hook", "counts launches", since="3.6"),
    "debug": Hook("triton", "triton.knobs:runtime.debug", "keeps the assertions of kernels", since="3.6"),
    "interpret": Hook("triton", "triton.knobs:runtime.interpret", "tells interpreting processes", since="3.6"),
}


def wants_tracebacks() -> bool:
    """Whether errors inside kernels are to be raised as they are (TRITON_FRONT_END_DEBUGGING)."""
    return bool(HOOKS["debugging"].reach())


def is_interpreting() -> bool:
    """Whether kernels decorated in this process are interpreted."""
    return bool(HOOKS["interpret"].reach())


def is_loaded() -> bool:
    """Whether this process has loaded Triton: importing it takes half a second."""
    return HOOKS["runtime"].loaded() is not None
