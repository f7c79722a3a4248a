# backed_size_oblivious: column 0 of a tensor [n, min(1, 4 // n)] with an int n, 4 here: Inductor selects by slicing and
# squeezing, does not squeeze a size that it does not know to be 1, and where then fails to broadcast.
# Seen with torch 2.13.0, cpu.
import sys
import torch
import torch.fx.experimental._config as config
config.backed_size_oblivious, torch.compiler.config.force_disable_caches = True, True

def reference(x, n):
    rows = x.unflatten(0, (n, min(1, 4 // n))).exp()
    return torch.where(rows[:, 0] > 0, rows.sum(dim=1), 0.0)

x = torch.randn(4)
want = reference(x, 4)
try:
    got = torch.compile(reference, fullgraph=True, dynamic=True)(x, 4)
except Exception as error:
    sys.exit(f"{type(error).__name__}: {str(error)[:200]}")
assert torch.allclose(got, want)
