# mark_unbacked + pad + unfold: Inductor's lowering of unfold asks for a specialised integer of u0 + 3 and raises.
import sys
import torch
import torch.nn.functional as F
from torch._dynamo.decorators import mark_unbacked

def reference(x):
    return F.pad(x, (3, 0)).unfold(1, 4, 1).mean(-1)

x = torch.randn(5, 7)
mark_unbacked(x, 1)
torch.compile(reference, fullgraph=True, backend="aot_eager")(x)
torch._dynamo.reset()
try:
    got = torch.compile(reference, fullgraph=True)(x)
except Exception as error:
    sys.exit(f"{type(error).__name__}: {str(error)[:200]}")
assert torch.allclose(got, reference(x), atol=1e-5)
