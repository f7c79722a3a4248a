"""Every function and module of others that is checked, by name: the functions of one file a package."""

import inspect
from collections.abc import Callable, Mapping

from eagerdiff import Checked
from eagerdiff.suites.others import attention, diffusion, graphs, language_models, patterns, rotary

FILES = {
    "transformers": language_models,
    "diffusers": diffusion,
    "torch_geometric": graphs,
    "einops": patterns,
    "x_transformers": attention,
    "rotary_embedding_torch": rotary,
}
"""By package."""
Stranger = Callable[..., Checked]


def strangers() -> Mapping[str, Stranger]:
    """Return the checks by name, `package.function`."""
    return {
        f"{package}.{name}": function
        for package, file in FILES.items()
        for name, function in vars(file).items()
        if inspect.isfunction(function) and function.__module__ == file.__name__
    }
