# mark_unbacked + roll: the decomposition asks whether there are elements, guards on Eq(3*u0, 0) and raises, for a roll
# of the other, static dim too. Seen with torch 2.13.0, cpu.
import sys
import torch
from torch._dynamo.decorators import mark_unbacked

def reference(x):
    return x.roll(1, 1)

x = torch.randn(4, 3)
want = reference(x)
mark_unbacked(x, 0)
try:
    got = torch.compile(reference, fullgraph=True, backend="eager")(x)
except Exception as error:
    sys.exit(f"{type(error).__name__}: {str(error)[:200]}")
assert torch.equal(got, want)
