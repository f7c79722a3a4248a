# mark_dynamic(x, 0, max=64) without a min (or the reverse), both optional: the compile dies of an internal assertion,
# "not simple sympy type NoneType". Seen with torch 2.13.0, cpu.
import sys
import torch

def reference(x):
    return x + 1

x = torch.ones(7)
want = reference(x)
torch._dynamo.mark_dynamic(x, 0, max=64)
try:
    got = torch.compile(reference, fullgraph=True, backend="eager")(x)
except Exception as error:
    sys.exit(f"{type(error).__name__}: {str(error)[:200]}")
assert torch.equal(got, want)
