# A negative dynamic Python float to an integer power: Dynamo demands a base that is not negative ("Expected cond to be
# True, but got False") and raises; -1.5 ** 2 is a real number. Seen with torch 2.13.0, cpu.
import sys
import torch

def reference(x, scale):
    return x * scale**2

x = torch.randn(3)
want = reference(x, -1.5)
try:
    got = torch.compile(reference, fullgraph=True, backend="eager", dynamic=True)(x, -1.5)
except Exception as error:
    sys.exit(f"{type(error).__name__}: {str(error)[:400]}")
assert torch.equal(got, want)
