# mark_unbacked + diagonal_scatter: the graph asserts 1 <= u0 + u1 and raises at size 0, where eager returns
# (slice_scatter alike). Seen with torch 2.13.0, cpu.
import sys
import torch
from torch._dynamo.decorators import mark_unbacked

def reference(x, v):
    return x.diagonal_scatter(v)

x, v = torch.randn(0, 0), torch.randn(0)
want = reference(x, v)
for tensor, dim in ((x, 0), (x, 1), (v, 0)):
    mark_unbacked(tensor, dim)
try:
    got = torch.compile(reference, fullgraph=True, backend="eager")(x, v)
except Exception as error:
    sys.exit(f"{type(error).__name__}: {str(error)[:200]}")
assert got.shape == want.shape
