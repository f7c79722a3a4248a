"""All hooks, by the file that reaches for them."""

from collections.abc import Mapping
from types import ModuleType

from eagerdiff.harness.internals import (
    allocators,
    collectives,
    compiler_packages,
    dynamo_backends,
    dynamo_config,
    dynamo_errors,
    dynamo_marks,
    dynamo_metrics,
    export_trace,
    file_store,
    forked_cuda,
    hypothesis_constants,
    inductor_options,
    inductor_triton_backend,
    preloading,
    triton_assemblers,
    triton_autotuner,
    triton_combines,
    triton_compiler,
    triton_driver,
    triton_errors,
    triton_interpreter,
    triton_jit,
    triton_knobs,
    triton_language,
    triton_semantic,
)
from eagerdiff.harness.internals.hook import Hook

FILES: tuple[ModuleType, ...] = (
    allocators,
    collectives,
    compiler_packages,
    dynamo_backends,
    dynamo_config,
    dynamo_errors,
    dynamo_marks,
    dynamo_metrics,
    export_trace,
    file_store,
    forked_cuda,
    hypothesis_constants,
    inductor_options,
    inductor_triton_backend,
    preloading,
    triton_assemblers,
    triton_autotuner,
    triton_combines,
    triton_compiler,
    triton_driver,
    triton_errors,
    triton_interpreter,
    triton_jit,
    triton_knobs,
    triton_language,
    triton_semantic,
)


def hooks_of(file: ModuleType) -> tuple[Hook, ...]:
    """Return the hooks that a file declares, alone or in tables, in order."""
    found: dict[Hook, None] = {}
    for value in vars(file).values():
        if isinstance(value, Hook):
            found[value] = None
        elif isinstance(value, Mapping):
            found.update((one, None) for one in value.values() if isinstance(one, Hook))
    return tuple(found)


def inventory() -> Mapping[str, tuple[Hook, ...]]:
    """Return every hook, by the name of its file."""
    return {file.__name__.rpartition(".")[2]: hooks_of(file) for file in FILES}
