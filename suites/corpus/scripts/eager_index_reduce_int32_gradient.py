# index_reduce takes an index of int32, as documented, and its gradient in eager does not: the formula passes the index
# on to index_fill, which wants int64. Compiled by Inductor, the gradient is right.
import sys
import torch

def gradient(dtype):
    x = torch.arange(1.0, 5.0, requires_grad=True)
    out = x.index_reduce(0, torch.tensor([0, 2], dtype=dtype), torch.ones(2), "prod", include_self=False)
    return torch.autograd.grad(out.sum(), x)[0]

expected = gradient(torch.int64)
try:
    got = gradient(torch.int32)
except IndexError as error:
    sys.exit(f"IndexError: {error}")
assert torch.equal(got, expected)
