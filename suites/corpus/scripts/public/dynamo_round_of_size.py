# round(n, -1) of a symbolic size returns n. github.com/pytorch/pytorch/issues/198064, open. Present on 2.13.0.
import sys, torch
def f(x): return x * round(x.shape[0] * 5, -1)
g = torch.compile(f, backend="eager", dynamic=True)
for n in (14, 15, 16, 25, 3, 5):
    x = torch.ones(n)
    if not torch.equal(g(x), f(x)): sys.exit(f"wrong at {n}")
