"""What is called: a function of positional arguments, or a module with the state that each call gives it."""

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import torch
from torch import Tensor, nn
from torch.compiler import set_stance
from torch.utils import _pytree as pytree

from eagerdiff.suites.own.form import AS_THEY_COME, Form

Function = Callable[..., Any]


class Called(Protocol):
    """Say what is compiled of something, and what is called in its place."""

    @property
    def gradients(self) -> bool:
        """Whether gradients of the sum of its outputs are taken."""
        ...

    @property
    def state(self) -> dict[str, Tensor]:
        """What each call is given after the arguments: parameters and buffers by name; nothing for a function."""
        ...

    def eager(self) -> Function:
        """Return what is handed to a compiler: it takes the arguments by position."""
        ...

    def around(self, function: Function, compiled: Function) -> Function:
        """Return what is called in place of what was compiled of `eager()`: it takes the state too."""
        ...

    def exported(self, program: Function) -> Function:
        """Return what is called in place of what was exported."""
        ...

    def reference(self, *args: Any) -> Any:
        """Call it in eager, in whatever dtype the arguments and the state have."""
        ...

    def inference(self) -> "Called":
        """Return the same with no gradients taken."""
        ...


@dataclass(frozen=True)
class FunctionCall:
    """Call a function."""

    function: Function
    form: Form = AS_THEY_COME
    """How it takes its arguments."""
    gradients: bool = False

    @property
    def state(self) -> dict[str, Tensor]:
        """It has none."""
        return {}

    def eager(self) -> Function:
        """Return the function."""
        return self.form.bound(self.function)

    def around(self, function: Function, compiled: Function) -> Function:
        """Take gradients, where they are asked for."""
        return differentiated(compiled) if self.gradients else compiled

    def exported(self, program: Function) -> Function:
        """Return the program."""
        return program

    def reference(self, *args: Any) -> Any:
        """Call it in eager."""
        with set_stance("force_eager"):
            function = self.eager()
            return self.around(function, function)(*args)

    def inference(self) -> "FunctionCall":
        """Take no gradients."""
        return replace(self, gradients=False)


@dataclass(frozen=True)
class ModuleCall:
    """Call a module: the last argument of each call is a dict of its parameters and buffers."""

    module: nn.Module
    form: Form = AS_THEY_COME
    gradients: bool = True

    @property
    def state(self) -> dict[str, Tensor]:
        """Its parameters and buffers."""
        return {name: tensor.detach() for name, tensor in _held(self.module).items()}

    def eager(self) -> "Positional":
        """Return a copy of the module."""
        return Positional(copy.deepcopy(self.module), self.form)

    def around(self, function: Function, compiled: Function) -> Function:
        """Load a state, call, take gradients, hand the buffers back."""
        assert isinstance(function, Positional)
        module, parameters = function.module, [one for one in function.parameters() if one.requires_grad]

        def call(*args: Any) -> Any:
            *rest, state = args
            with torch.no_grad():
                for name, tensor in _held(module).items():
                    tensor.copy_(state[name])
            result = differentiated(compiled, parameters)(*rest) if self.gradients else compiled(*rest)
            with torch.no_grad():
                for name, tensor in module.named_buffers():
                    state[name].copy_(tensor)
            return result

        return call

    def exported(self, program: Function) -> Function:
        """Call a program, which has a state of its own: that with which the module was exported."""
        return lambda *args: program(*args[:-1])

    def reference(self, *args: Any) -> Any:
        """Call it in eager, with the state that is given."""
        with set_stance("force_eager"):
            function = self.eager()
            _adopt(function.module, args[-1])
            return self.around(function, function)(*args)

    def inference(self) -> "ModuleCall":
        """Take no gradients."""
        return replace(self, gradients=False)


class Positional(nn.Module):
    """Call a module with positional arguments."""

    def __init__(self, module: nn.Module, form: Form) -> None:
        super().__init__()
        self.module = module
        self.caller = form.caller()
        self.training = module.training

    def forward(self, *args: Any) -> Any:
        """Call it."""
        return self.caller(self.module, args)


def _held(module: nn.Module) -> dict[str, Tensor]:
    return {**dict(module.named_parameters()), **dict(module.named_buffers())}


def _adopt(module: nn.Module, state: Mapping[str, Tensor]) -> None:
    """Give a module tensors of the dtypes that a state has; what two names share, they share again."""
    for name, old in _held(module).items():
        new: Any = state[name].detach().clone()
        if isinstance(old, nn.Parameter):
            new = nn.Parameter(new, requires_grad=old.requires_grad)
        for owner in module.modules():
            for held in (owner._parameters, owner._buffers):
                for leaf in [leaf for leaf, one in held.items() if one is old]:
                    held[leaf] = new


def differentiated(function: Function, parameters: Sequence[Tensor] = ()) -> Function:
    """Return a function that gives the output, then the gradients of a weighted sum of all that can be differentiated.

    Gradients are by every floating-point tensor among the arguments, then by the parameters; None where nothing
    depends on one. Outputs are detached.
    """

    def with_gradients(*args: Any) -> tuple[Any, ...]:
        given = pytree.tree_map_only(Tensor, leaf, args)
        wanted = [leaf for leaf in pytree.tree_leaves(given) if isinstance(leaf, Tensor) and leaf.requires_grad]
        wanted += parameters
        with torch.enable_grad():
            output = function(*given)
            ends = [leaf for leaf in pytree.tree_leaves(output) if isinstance(leaf, Tensor) and leaf.requires_grad]
            found = (
                torch.autograd.grad(ends, wanted, [*map(weights, ends)], allow_unused=True) if ends and wanted else ()
            )
        found = found or (None,) * len(wanted)
        return pytree.tree_map_only(Tensor, Tensor.detach, output), *found

    return with_gradients


def weights(tensor: Tensor) -> Tensor:
    """Return eighths [...] from -7 to 7, exact in any dtype of floats: of a softmax, equal ones would show nothing."""
    eighths = torch.arange(tensor.numel(), device=tensor.device).mul(5).add(3).remainder(8).mul(2).sub(7)
    return eighths.div(8).to(tensor.dtype).view(tensor.shape)


def leaf(tensor: Tensor) -> Tensor:
    """Return a tensor [...] by which gradients can be taken, where it holds floats."""
    return tensor.detach().requires_grad_() if tensor.is_floating_point() else tensor
