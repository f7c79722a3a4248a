# aot_compile with dynamic=True of x.T + x.T.shape[0]: "Boolean value of Tensor with more than one value is ambiguous". Two guards on
# one attribute of x compare its tensors (weak references are as equal as what they refer to). torch.compile takes it.
import sys
import torch

def transposed(x):
    return x.T + x.T.shape[0]

x = torch.ones(3, 4)
assert torch.equal(torch.compile(transposed, backend="eager", dynamic=True)(x), transposed(x))
for dynamic in (False, True):
    try:
        torch.compile(transposed, backend="aot_eager", fullgraph=True, dynamic=dynamic).aot_compile(((x,), {}))
    except RuntimeError as error:
        sys.exit(f"dynamic={dynamic}: {error}"[:200])
