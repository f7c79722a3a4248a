# mark_unbacked + torch.cond: Dynamo compares the branches' strides, guards on Eq(Max(1, u0), 1) and raises, though both
# branches are pointwise and the strides the same expressions. Seen with torch 2.13.0, cpu.
import sys
import torch
from torch._dynamo.decorators import mark_unbacked

def reference(flag, x):
    return torch.cond(flag, lambda x: x * 2, lambda x: x + 1, (x,))

flag, x = torch.tensor(True), torch.randn(4, 3)
with torch.compiler.set_stance("force_eager"):
    want = reference(flag, x)
mark_unbacked(x, 1)
try:
    got = torch.compile(reference, fullgraph=True, backend="eager")(flag, x)
except Exception as error:
    sys.exit(f"{type(error).__name__}: {str(error)[:200]}")
assert torch.equal(got, want)
