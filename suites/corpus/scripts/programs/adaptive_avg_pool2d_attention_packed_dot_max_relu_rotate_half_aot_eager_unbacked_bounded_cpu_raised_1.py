# programs, aot_eager.unbacked+bounded on cpu: RAISED BackendCompilerFailed: backend='aot_eager' raised: GuardOnDataDependentSymNode: Could not guard on data-dependent expression u0 > 1 (unhinted: u0 > 1). (Size-like symbols: u0)
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch

import torch.nn.functional as F

def program(x0, x1, x2):
    v3 = F.adaptive_avg_pool2d(x0, (2, None))
    v4, v5 = x0.max(3, keepdim=True)
    v6 = torch.dot(x1, x1)
    v7_q, v7_k, v7_v = x2.chunk(3, dim=-1)
    v7 = (v7_q @ v7_k.mT * v7_q.shape[-1] ** (-0.5)).softmax(dim=-1) @ v7_v
    v8 = torch.cat((-x0[..., x0.shape[-1] // 2:], x0[..., :x0.shape[-1] // 2]), -1)
    v9 = F.relu(v4)
    return (v3, v5, v6, v7, v8, v9)
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
compiled = torch.compile(program, backend='aot_eager', dynamic=None, fullgraph=True)
MARKED = {0: {0: 'a', 1: 'a', 2: 'a', 3: 'a+1'}, 1: {0: 'a'}, 2: {0: 'c', 1: 'b'}}

def implementation(*args, **options):
    for key, dims in MARKED.items():
        tensor = args[key] if isinstance(key, int) else options.get(key)
        for dim, name in dims.items() if tensor is not None else ():
            torch._dynamo.decorators.mark_unbacked(tensor, dim, shape_id=name, min=0, max=4096)
    return compiled(*args, **options)
implementation = differentiated(implementation)

G = torch.Generator().manual_seed(0)
calls = [
    ((torch.tensor([-0.592216968536377, -0.6952250599861145], dtype=torch.float32).reshape((1, 1, 1, 2)), torch.tensor([-0.3989964425563812], dtype=torch.float32), torch.randn(323, generator=G).to(torch.float64).as_strided((9, 6, 3), (36, 6, 2)), ), {}),
    ((torch.tensor([-0.5152802467346191, float("-inf"), 1.680398941040039, -0.12216009944677353, 9.99994610111476e-41, -1.1361974477767944, -0.6729271411895752, 2.9912123680114746, -0.3163086771965027, 0.8546656966209412, -0.9047955870628357, -0.4981367886066437, -1.2449672222137451, -0.0, float("nan"), -2.2135655879974365, 1.779849886894226, 0.5911900401115417, float("inf"), 9.99994610111476e-41, 0.6271826028823853, -0.6570873856544495, 0.24655194580554962, -0.6957457065582275], dtype=torch.float32).as_strided((2, 2, 2, 3), (1, 2, 4, 8)), torch.tensor([-0.564426064491272, 1.733565092086792], dtype=torch.float32), torch.full((378,), 0.0, dtype=torch.float64).as_strided((21, 6, 3), (3, 63, 1)), ), {}),
]

for number, (args, options) in enumerate(calls):
    reference(*copy.deepcopy(args), **options)
    implementation(*args, **options)  # raises, or dies, while the bug is there
