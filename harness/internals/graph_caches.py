"""Torch's caches of compiled graphs on disk: which folder they lie in, and what one process hands on to another."""

import contextlib
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import torch

from eagerdiff.harness.internals.dynamo_config import FUNCTORCH, INDUCTOR, patched
from eagerdiff.harness.internals.hook import Hook

HOOKS = {
    "fxgraph": Hook(
        "torch",
        "torch._inductor.codecache:FxGraphCache._get_tmp_dir",
        "says where Inductor's cache of graphs lies",
        since="2.11",
    ),
    "aotautograd": Hook(
        "torch",
        "torch._functorch._aot_autograd.autograd_cache:AOTAutogradCache._get_tmp_dir",
        "says where AOTAutograd's cache lies",
        since="2.11",
    ),
    "dynamo": Hook(
        "torch",
        "torch._dynamo.package:DiskDynamoCache.path_prefix",
        "says where packages of Dynamo's lie",
        since="2.11",
    ),
}
"""By the name of the folder, as torch calls it."""
ARTIFACTS = Hook(
    "torch",
    "torch.compiler._cache:CacheArtifactManager.with_fresh_cache",
    "keeps what a process would hand on apart from what it met before",
    since="2.11",
)
PACKAGES = Hook(
    "torch",
    "torch._dynamo.precompile_context:PrecompileContext.clear",
    "forgets what a process would write of functions that it compiled before",
    since="2.11",
)
FRESH = Hook("torch", "torch._inductor.utils:fresh_cache", "compiles as if nothing had been before", since="2.8")
ON = {INDUCTOR: {"fx_graph_cache": True}, FUNCTORCH: {"enable_autograd_cache": True}}


@contextlib.contextmanager
def kept_in(folder: Callable[[], Path]) -> Generator[None]:
    """Have graphs kept in a folder and looked up there, by this process; what is compiled of them stays elsewhere.

    What `torch.compiler.save_cache_artifacts` returns inside is of what was met inside.
    """
    before = {name: hook.replace(_inside(folder, name)) for name, hook in HOOKS.items()}
    try:
        with contextlib.ExitStack() as stack:
            for module, settings in ON.items():
                stack.enter_context(patched(module, settings))
            stack.enter_context(ARTIFACTS.reach()())
            yield
    finally:
        for name, original in before.items():
            HOOKS[name].replace(original)


def fresh() -> contextlib.AbstractContextManager[Any]:
    """Have nothing on disk inside, neither graphs nor generated code."""
    return FRESH.reach()()


def forget() -> None:
    """Forget all that this process compiled, but for what is on disk."""
    torch.compiler.reset()
    if (clear := PACKAGES.loaded()) is not None:
        clear()


def _inside(folder: Callable[[], Path], name: str) -> Any:
    return lambda *_: str(folder() / name)
