# Eager torch.kron of non-contiguous tensors raises "view size is not compatible", where their copies are taken
# (cf. pytorch#54135). Seen with torch 2.13.0, cpu.
import sys
import torch

x, y = torch.randn(4, 4), torch.randn(4, 4).t()
want = torch.kron(x, y.contiguous())
try:
    got = torch.kron(x, y)
except RuntimeError as error:
    sys.exit(f"{type(error).__name__}: {str(error)[:200]}")
assert torch.equal(got, want)
