# mark_unbacked + .item() of an integer tensor on the CPU: Inductor's wrapper uses a backed symbol that it never defines:
# NameError: name 's..' is not defined (at run time, every call). Dynamo and AOTAutograd are right.
import sys
import torch
from torch._dynamo.decorators import mark_unbacked
torch._dynamo.config.capture_scalar_outputs = True

def reference(x, length):
    n = int(length.item())
    torch._check(n >= 0)
    torch._check(n <= x.size(0))
    return x[:n] * 3.0

x, length = torch.randn(7, 8), torch.tensor(3)
mark_unbacked(x, 0)
try:
    got = torch.compile(reference, fullgraph=True)(x, length)
except Exception as error:
    sys.exit(f"{type(error).__name__}: {str(error)[:200]}")
assert torch.allclose(got, reference(x, length))
