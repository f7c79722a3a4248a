# mark_unbacked + a view that splits a cropped row: the graph asserts that nothing was cropped, Eq(u1, u2), and raises;
# eager needs no copy, reshape compiles. Seen with torch 2.13.0, cpu.
import sys
import torch
from torch._dynamo.decorators import mark_unbacked

def reference(x):
    return x[:, : x.shape[1] - 1].unflatten(1, (-1, 2))

x = torch.randn(9, 9)
want = reference(x)
mark_unbacked(x, 0)
mark_unbacked(x, 1)
try:
    got = torch.compile(reference, fullgraph=True, backend="eager")(x)
except Exception as error:
    sys.exit(f"{type(error).__name__}: {str(error)[:200]}")
assert torch.equal(got, want)
