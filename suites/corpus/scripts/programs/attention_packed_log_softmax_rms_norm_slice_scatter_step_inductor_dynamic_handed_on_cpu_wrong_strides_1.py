# programs, inductor.dynamic+handed_on on cpu: WRONG_STRIDES [6] other strides than eager's, and it keeps the memory format of an argument (got [24, 12, 4, 1], expected [1, 2, 4, 12])
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map

import torch.nn.functional as F

def program(x0, x1, x2, x3):
    v4_q, v4_k, v4_v = x0.chunk(3, dim=-1)
    v4 = (v4_q @ v4_k.mT * v4_q.shape[-1] ** (-0.5)).softmax(dim=-1) @ v4_v
    v5 = F.rms_norm(v4, v4.shape[-1:], x1)
    v6 = x3.slice_scatter(x2, -1, step=2)
    v7 = F.log_softmax(v4, dim=1)
    return (v5, v6, v7)
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
import itertools, os, tempfile
os.environ['TORCHINDUCTOR_CACHE_DIR'] = tempfile.mkdtemp()
NUMBER = itertools.count()

def implementation(*args, **options):
    if next(NUMBER) % 2:
        saved = torch.compiler.save_cache_artifacts()
        os.environ['TORCHINDUCTOR_CACHE_DIR'] = tempfile.mkdtemp()
        torch.compiler.reset()
        saved and torch.compiler.load_cache_artifacts(saved[0])
    return compiled(*args, **options)
implementation = differentiated(implementation)

calls = [
    ((torch.full((108,), 0.0, dtype=torch.float32).reshape((3, 3, 12)), torch.tensor([-2.502399444580078, -2.502399444580078, -1.3050127029418945, -1.3050127029418945, 0.8544702529907227, 0.8544702529907227, -0.14034129679203033], dtype=torch.float32).as_strided((4,), (2,)), torch.tensor([-60.46875, -34.90625, 72.9375, 21.796875, -4.10546875, 86.6875, 121.0625, 6.0, -55.875, -96.8125, 66.4375, -76.1875, 119.0, 94.0625, -45.5625, -4.33984375, -80.9375, 8.6640625, -235.5, 43.3125, -14.21875, 8.6015625, 133.25, 232.875], dtype=torch.float16).as_strided((2, 2, 3, 2), (12, 1, 4, 2)), torch.tensor([3.0, 3.0, 1.0, 3.0, 1.0, 1.0, 1.0, 3.0, 0.0, 0.0, -2.0, -1.0, 2.0, 0.0, -3.0, 1.0, -2.0, 0.0, 3.0, 3.0, -3.0, -1.0, -1.0, -3.0, 1.0, -1.0, -1.0, -3.0, 0.0, 1.0, -3.0, -2.0, -2.0, -2.0, 0.0, 1.0, -1.0, -3.0, 3.0, 0.0, -1.0, -2.0, 2.0, 1.0, -2.0, 2.0, -1.0, -2.0], dtype=torch.float16).as_strided((2, 2, 3, 4), (1, 2, 4, 12)), ), {}),
    ((torch.full((215,), 0.0, dtype=torch.float32).as_strided((3, 3, 12), (72, 24, 2)), torch.tensor([-2.018195390701294, 1.2895557880401611, -0.2507549524307251, 0.34444770216941833], dtype=torch.float32), torch.tensor([78.125, -11.5234375, -21.984375, 48.0625, -18.4375, 97.5, 161.75, -150.5, -41.9375, 112.9375, 57.71875, -215.625, -37.84375, -51.78125, 33.78125, -23.1875, 124.75, 105.375, -84.125, 15.1953125, 34.65625, 19.046875, 123.5, -61.8125], dtype=torch.float16).reshape((2, 2, 3, 2)), torch.tensor([-1.0, 3.0, 1.0, -1.0, -3.0, 0.0, 2.0, -3.0, 2.0, 1.0, -1.0, -1.0, 1.0, 3.0, -2.0, -3.0, -1.0, 2.0, -1.0, 0.0, 3.0, -2.0, 0.0, -1.0, -3.0, 1.0, -3.0, 2.0, 2.0, 2.0, -3.0, 3.0, 0.0, 3.0, 1.0, -2.0, -2.0, 0.0, 2.0, 1.0, -2.0, 0.0, -3.0, 3.0, -3.0, 0.0, 2.0, -1.0], dtype=torch.float16).reshape((2, 2, 3, 4)), ), {}),
    ((torch.full((215,), 0.0, dtype=torch.float32).as_strided((3, 3, 12), (72, 24, 2)), torch.tensor([-1.0133332014083862, -0.3654601275920868, 0.8162520527839661, 0.005059489049017429], dtype=torch.float32), torch.tensor([100.4375, 50.125], dtype=torch.float16).reshape((1, 1, 2, 1)), torch.tensor([-2.0, 0.0, 2.0, 0.0], dtype=torch.float16).reshape((1, 1, 2, 2)), ), {}),
    ((torch.full((215,), 0.0, dtype=torch.float32).as_strided((3, 3, 12), (72, 24, 2)), torch.tensor([-1.0133332014083862, -0.3654601275920868, 0.8162520527839661, 0.005059489049017429], dtype=torch.float32), torch.tensor([100.4375, 50.125], dtype=torch.float16).reshape((1, 1, 2, 1)), torch.tensor([-2.0, 0.0, 2.0, 0.0], dtype=torch.float16).reshape((1, 1, 2, 2)), ), {}),
]

def strides(x):
    return [step for step, size in zip(x.stride(), x.shape) if size > 1] if isinstance(x, torch.Tensor) else None

for number, (args, options) in enumerate(calls):
    eagers = copy.deepcopy(args)
    want, got = reference(*eagers, **options), implementation(*args, **options)
    for one, other in zip(tree_leaves((want, eagers)), tree_leaves((got, args)), strict=True):
        if strides(one) != strides(other):
            sys.exit(f"call {number} gives strides {strides(other)} where eager gives {strides(one)}")
