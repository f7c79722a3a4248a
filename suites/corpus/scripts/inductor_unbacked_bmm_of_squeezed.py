# bmm of softmax's [3, 1, 2, n], n from .item(), without its dim of 1: Inductor asks for the strides as integers
# and raises GuardOnDataDependentSymNode on 2*u0. Where there never was a dim of 1 it compiles.
# Seen with torch 2.13.0, cpu.
import sys
import torch
torch._dynamo.config.capture_scalar_outputs = True

def reference(x, v, count):
    n = count.item()
    torch._check(n >= 2)
    weights = torch.softmax(x.expand(3, 1, 2, n), dim=-1)
    return torch.bmm(weights[:, 0], v.expand(3, n, 5))

x, v, count = torch.randn(3, 1, 2, 1), torch.randn(3, 1, 1), torch.tensor(4)
want = reference(x, v, count)
torch.compile(reference, fullgraph=True, backend="aot_eager")(x, v, count)
torch._dynamo.reset()
try:
    got = torch.compile(reference, fullgraph=True)(x, v, count)
except Exception as error:
    sys.exit(f"{type(error).__name__}: {str(error)[:200]}")
assert torch.allclose(got, want, atol=1e-4)
