# backed_size_oblivious: two products in turn, (3, 0, 8) @ (8, 12) @ (12, 8), of a batch without rows: Inductor sorts the
# strides of x by a guard, size 1 times size 2 >= size 2, that does not hold where size 1 is 0, and the call fails with
# "Guard failed on the same frame it was created. This is a bug". One product, or no such setting, gives the empty result.
import sys

import torch
from torch.fx.experimental import _config


def two_products(x, w, v):
    return x @ w @ v


def run(function, oblivious, *args):
    torch._dynamo.reset()
    with _config.patch(backed_size_oblivious=oblivious):
        return torch.compile(function, dynamic=True)(*args)


x, w, v = torch.ones(3, 0, 8), torch.ones(8, 12), torch.ones(12, 8)
assert run(two_products, False, x, w, v).shape == (3, 0, 8)
assert run(torch.matmul, True, x, w).shape == (3, 0, 12)
try:
    assert run(two_products, True, x, w, v).shape == (3, 0, 8)
except AssertionError as error:
    sys.exit(str(error)[-200:])
