"""Every function and module of others that is checked, by name: the functions of one file a package."""

import inspect
from collections.abc import Callable, Mapping

from eagerdiff import Checked
from eagerdiff.suites.others import diffusers, einops, torch_geometric, transformers, x_transformers

FILES = (transformers, diffusers, torch_geometric, einops, x_transformers)
Stranger = Callable[..., Checked]


def strangers() -> Mapping[str, Stranger]:
    """Return the checks by name, `package.function`."""
    return {
        f"{file.__name__.rpartition('.')[2]}.{name}": function
        for file in FILES
        for name, function in vars(file).items()
        if inspect.isfunction(function) and function.__module__ == file.__name__
    }
