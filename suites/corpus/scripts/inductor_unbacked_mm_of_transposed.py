# mark_unbacked, a transposed x, and y = relu(x) that goes into a product and is used once more: Inductor sorts
# the strides of y, (1, u0), and raises GuardOnDataDependentSymNode: is u0 > 1? Used once, or with rows, it compiles.
# Seen with torch 2.13.0, cpu.
import sys
import torch
from torch._dynamo.decorators import mark_unbacked

def reference(x, w):
    y = torch.relu(x)
    return y @ w, y.exp()

x, w = torch.randn(4, 7).T, torch.randn(4, 3)
mark_unbacked(x, 0)
torch.compile(reference, fullgraph=True, backend="aot_eager")(x, w)
torch._dynamo.reset()
try:
    got = torch.compile(reference, fullgraph=True)(x, w)
except Exception as error:
    sys.exit(f"{type(error).__name__}: {str(error)[:200]}")
assert all(torch.allclose(a, b, atol=1e-5) for a, b in zip(got, reference(x, w), strict=True))
