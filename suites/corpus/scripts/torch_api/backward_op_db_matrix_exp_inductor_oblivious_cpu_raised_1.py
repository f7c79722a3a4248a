# torch_api, inductor.oblivious on cpu: RAISED AssertionError: expected size 20==20, stride 20==12 at dim=0
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch


def parts(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)

def inner(x0):
    v0 = x0.matrix_exp()
    return parts(v0)

def program(x0):

    def loss(x0):
        return sum((part.sum() for part in inner(x0) if part.is_floating_point()))
    return torch.func.grad(loss, argnums=(0,))(x0)
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
torch.fx.experimental._config.backed_size_oblivious = True
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1})
implementation = compiled
implementation = differentiated(implementation)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([-0.9734323024749756, -0.8920370936393738, -0.8740180134773254, -0.1038883626461029, 0.3922768235206604, 0.4842311143875122, -1.2165404558181763, -1.0138455629348755, -0.32964202761650085, -0.31562718749046326, 1.1609234809875488, 1.214536428451538, -1.369274616241455, -1.2396520376205444, 0.21700116991996765, 0.49130550026893616, 0.6291719079017639, 1.2690887451171875, -0.9758541584014893, -0.38766101002693176, 0.027030324563384056, 0.28931018710136414, 0.5343554019927979, 0.756607711315155, -0.9806681871414185, -0.8322299718856812, 0.5126181840896606, 0.9459335207939148, 1.255407452583313, 2.1242570877075195, -1.519638180732727, -0.7437677979469299, -0.4897797703742981, -0.4829116463661194, -0.47839096188545227, 1.4507449865341187], dtype=torch.float32).reshape((6, 6)), ), {}),
    ((torch.randn(100, generator=G).to(torch.float32).reshape((10, 10)), ), {}),
    ((torch.randn(100, generator=G).to(torch.float32).reshape((10, 10)), ), {}),
    ((torch.randn(1089, generator=G).to(torch.float32).reshape((33, 33)), ), {}),
    ((torch.tensor([], dtype=torch.float32).reshape((0, 0)), ), {}),
    ((torch.randn(961, generator=G).to(torch.float32).reshape((31, 31)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
