# programs, aot_eager.dynamic on cpu: WRONG_STRIDES [1] other strides than eager's, and it keeps the memory format of an argument (got [2, 1], expected [1, 7])
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map


def program(x0, x1):
    v2_a, v2_b, v2_c, v2_d = [one.item() for one in x1.sort().values.unbind()]
    torch._check(v2_a >= 0)
    torch._check(v2_a <= v2_b)
    torch._check(v2_b <= v2_c)
    torch._check(v2_c <= v2_d)
    torch._check(v2_d <= 8)
    v2_0 = x0 + torch.ones(1, 1, device=x0.device).expand(v2_a, v2_b).sum()
    v2_1 = v2_0 + torch.ones(2, 9, 9, device=v2_0.device)[:, v2_a:v2_b, v2_c:].sum()
    v2_2 = v2_1 * v2_a + v2_b
    v2 = v2_2
    return (v2,)
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
compiled = torch.compile(program, backend='aot_eager', dynamic=True, fullgraph=True)
implementation = compiled
implementation = differentiated(implementation)

calls = [
    ((torch.tensor([-0.7131425142288208, 1.111077070236206, -0.6181537508964539, 0.24793216586112976, -0.13026131689548492, 0.3259766399860382, -0.40347298979759216, 0.23538827896118164, 1.5675746202468872, 0.858189046382904, 0.17684033513069153, 0.9379431009292603, 0.2741222679615021, 0.3952610194683075, 0.8054993152618408, 0.3800141513347626, 0.7391969561576843, -0.2179039567708969, -2.5384109020233154, 1.49690580368042, 0.5650637149810791, 0.3729121685028076, 0.2897185981273651, 0.8598499894142151], dtype=torch.float32).reshape((12, 2)), torch.tensor([7, 0, 5, 7], dtype=torch.int64), ), {}),
    ((torch.tensor([-0.4137766659259796, -0.9875061511993408, -1.5818790197372437, -1.2534701824188232, -2.313884973526001, 0.441573828458786, -0.2619837820529938, 0.4191586375236511, -0.6275482773780823, 0.5017614960670471, -0.11870624125003815, -0.5849711894989014, 0.6664769649505615, -1.0137557983398438], dtype=torch.float32).as_strided((7, 2), (1, 7)), torch.tensor([1, 7, 6, 7], dtype=torch.int64), ), {}),
]

def strides(x):
    return [step for step, size in zip(x.stride(), x.shape) if size > 1] if isinstance(x, torch.Tensor) else None

for number, (args, options) in enumerate(calls):
    eagers = copy.deepcopy(args)
    want, got = reference(*eagers, **options), implementation(*args, **options)
    for one, other in zip(tree_leaves((want, eagers)), tree_leaves((got, args)), strict=True):
        if strides(one) != strides(other):
            sys.exit(f"call {number} gives strides {strides(other)} where eager gives {strides(one)}")
