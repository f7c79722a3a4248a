# mark_unbacked + torch.func.jvp: _has_same_storage_numel guards on Eq(3*u0, 0) and raises; a jvp of sin depends on no
# size. Seen with torch 2.13.0, cpu.
import sys
import torch
from torch._dynamo.decorators import mark_unbacked

def reference(x):
    return torch.func.jvp(torch.sin, (x,), (x * 2,))[1]

x = torch.randn(4, 3)
want = reference(x)
mark_unbacked(x, 0)
try:
    got = torch.compile(reference, fullgraph=True, backend="eager")(x)
except Exception as error:
    sys.exit(f"{type(error).__name__}: {str(error)[:200]}")
assert torch.allclose(got, want)
