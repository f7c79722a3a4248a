# torch_api, inductor.dynamic+neighbours on cpu: DID_NOT_RAISE eager raises RuntimeError and the implementation returned
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def program(x0):
    v0 = torch.native_group_norm(x0, None, None, 1, x0.shape[1], 1, 1, 1e-05)
    return parts(v0)
from torch import Tensor

def differentiated(function):

    def with_gradients(*args):
        leaves = [arg.detach().requires_grad_() if isinstance(arg, Tensor) and arg.is_floating_point() else arg for arg in args]
        wanted = [leaf for leaf in leaves if isinstance(leaf, Tensor) and leaf.requires_grad]
        with torch.enable_grad():
            outputs = function(*leaves)
            ends = [out for out in outputs if isinstance(out, Tensor) and out.requires_grad]
            ones = [torch.ones_like(end) for end in ends]
            found = torch.autograd.grad(ends, wanted, ones, allow_unused=True) if ends and wanted else ()
        found = found or (None,) * len(wanted)
        return (*(out.detach() if isinstance(out, Tensor) else out for out in outputs), *found)
    return with_gradients
reference = differentiated(program)
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})

def make(function, **more):
    settings = {'backend': 'inductor', 'dynamic': True, 'fullgraph': True, 'options': {'compile_threads': 1}}
    if more:
        settings['options'] = settings.get('options', {}) | more
    return torch.compile(function, **settings)
import contextlib
import copy
import types
from collections.abc import Callable, Mapping
from typing import Any
Function = Callable[..., Any]
RANDOM = 'fallback_random'
CONSTANT = 'another constant'

@contextlib.contextmanager
def default_dtype(dtype):
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        yield
    finally:
        torch.set_default_dtype(before)

@contextlib.contextmanager
def deterministic():
    before = torch.are_deterministic_algorithms_enabled()
    torch.use_deterministic_algorithms(True)
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(before)
SETTINGS: Mapping[str, Callable[[], contextlib.AbstractContextManager[Any]]] = {'autocast': lambda: torch.autocast('cpu', dtype=torch.bfloat16), 'default dtype': lambda: default_dtype(torch.float64), 'no gradients': torch.no_grad, 'inference': torch.inference_mode, 'deterministic': deterministic}
NEIGHBOURS = (CONSTANT, *SETTINGS, RANDOM)

class AmongNeighbours:

    def __init__(self, function, make, first, renew):
        self.function = function
        self.make = make
        self.compiled = make(function)
        self.number = first
        self.renew = renew

    def __call__(self, *args, **options):
        name = NEIGHBOURS[self.number % len(NEIGHBOURS)]
        self.number += 1
        self.renew()
        torch.compiler.reset()
        with torch.random.fork_rng(devices=()), SETTINGS.get(name, contextlib.nullcontext)():
            self.call(name, *copy.deepcopy(args), **options)
        torch.compiler.reset()
        return self.compiled(*args, **options)

    def call(self, name, *args, **options):
        function = with_another_constant(self.function) if name == CONSTANT else self.function
        if function is not None and takes(function, *copy.deepcopy(args), **options):
            more = {RANDOM: True} if name == RANDOM else {}
            pass_back(self.make(function, **more)(*args, **options))

def with_another_constant(function):
    if not isinstance(function, types.FunctionType):
        return None
    constants = list(function.__code__.co_consts)
    for kind in (float, int):
        for at in reversed(range(len(constants))):
            if type(constants[at]) is kind:
                constants[at] += 1
                code = function.__code__.replace(co_consts=tuple(constants))
                return types.FunctionType(code, function.__globals__, function.__name__, function.__defaults__, function.__closure__)
    return None

def takes(function, *args, **options):
    try:
        function(*args, **options)
    except Exception:
        return False
    return True

def pass_back(output):
    outputs = output if isinstance(output, (tuple, list)) else (output,)
    ends = [one for one in outputs if isinstance(one, torch.Tensor) and one.requires_grad]
    torch.autograd.backward(ends, [torch.ones_like(end) for end in ends])
import os, tempfile

def renew():
    os.environ['TORCHINDUCTOR_CACHE_DIR'] = tempfile.mkdtemp()
implementation = AmongNeighbours(program, make, 749, renew)
implementation = differentiated(implementation)

calls = [
    ((torch.tensor([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], dtype=torch.float32).as_strided((1, 5), (10, 2)), ), {}),
    ((torch.tensor([0.0, 0.0, 0.0], dtype=torch.float32).reshape((1, 3)), ), {}),
    ((torch.tensor([0.0, 0.0, 0.0], dtype=torch.float32).reshape((1, 3)), ), {}),
]

for number, (args, options) in enumerate(calls):
    try:
        reference(*copy.deepcopy(args), **options)
    except Exception as error:
        try:
            implementation(*args, **options)
        except Exception:
            continue
        sys.exit(f"call {number} raises in eager ({error}) and not when compiled")
    implementation(*args, **options)
