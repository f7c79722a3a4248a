# torch.poisson of a transposed tensor: meta promises the input's strides, the kernel returns contiguous ones, and
# Inductor's code dies in every call: AssertionError expected size/stride. Seen with torch 2.13.0, cpu.
import sys
import torch

x = torch.ones(33, 7).t()
want = torch.poisson(x)
try:
    got = torch.compile(torch.poisson, fullgraph=True)(x)
except Exception as error:
    sys.exit(f"{type(error).__name__}: {str(error)[:200]}")
assert got.shape == want.shape
