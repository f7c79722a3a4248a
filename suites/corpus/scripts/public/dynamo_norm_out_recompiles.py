# linalg.norm(..., out=) compiles again for every size; without out= one graph serves all.
# github.com/pytorch/pytorch/issues/187953, open. Present on 2.13.0.
import sys, torch
from torch._dynamo.testing import CompileCounter
c = CompileCounter()
def f(x):
    out = x.new_empty(x.shape[0])
    torch.linalg.norm(x, dim=1, out=out)
    return out
g = torch.compile(f, backend=c)
for n in range(4, 10): g(torch.randn(n, 6))
if c.frame_count > 2: sys.exit(f"{c.frame_count} compiles")
