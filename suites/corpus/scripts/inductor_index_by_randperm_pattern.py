# x[torch.randperm(n)] without a slice: Inductor's pattern for a sliced permutation matches it and misses its argument
# slice_shape (cf. pytorch#183988).
import sys
import torch

def reference(x):
    return x[torch.randperm(x.shape[0])]

x = torch.arange(8.0)
assert torch.equal(reference(x).sort().values, x)
try:
    got = torch.compile(reference, fullgraph=True)(x)
except Exception as error:
    sys.exit(f"{type(error).__name__}: {str(error)[:200]}")
assert torch.equal(got.sort().values, x)
