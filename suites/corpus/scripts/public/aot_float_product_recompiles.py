# p * (a * b) with floats that change compiles for every value; p * a * b does not.
# github.com/pytorch/pytorch/issues/171320, closed. Present on 2.11.0.
import sys, torch
from torch._dynamo.testing import CompileCounterWithBackend
c = CompileCounterWithBackend("aot_eager")
@torch.compile(fullgraph=True, backend=c)
def f(p, a, b): p.mul_(p * (a * b))
p = torch.randn(10)
for i in range(1, 7): f(p, 0.01 * i, 1.0)
if c.frame_count > 2: sys.exit(f"{c.frame_count} compiles")
