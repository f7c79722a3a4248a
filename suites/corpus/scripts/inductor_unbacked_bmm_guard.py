# mark_unbacked + a matmul of [batch, seq, d] by [d, h]: Inductor's lowering guards on Eq(u1, 1) and raises
# GuardOnDataDependentSymNode. Dynamo and AOTAutograd take the program. torch 2.13.0, cpu.
import sys
import torch
from torch._dynamo.decorators import mark_unbacked

def reference(x, w, v):
    return torch.relu(x @ w) @ v

x, w, v = torch.randn(7, 16, 8), torch.randn(8, 12), torch.randn(12, 8)
mark_unbacked(x, 0)
mark_unbacked(x, 1)
torch.compile(reference, fullgraph=True, backend="aot_eager")(x, w, v)
torch._dynamo.reset()
try:
    got = torch.compile(reference, fullgraph=True)(x, w, v)
except Exception as error:
    sys.exit(f"{type(error).__name__}: {str(error)[:200]}")
assert torch.allclose(got, reference(x, w, v), atol=1e-4)
