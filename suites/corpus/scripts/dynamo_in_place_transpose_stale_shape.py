# x.transpose_(0, 1) in a compiled function: x.shape is still that of before, with static sizes (the first call, unless
# dynamic=True), so that what is computed from it is wrong, in silence.
import sys
import torch

def mean_of_rows(x):
    x = x.clone()
    x.transpose_(0, 1)
    return x.sum(0) / x.shape[0]

x = torch.ones(2, 5)
right, found = mean_of_rows(x), torch.compile(mean_of_rows, backend="eager")(x)
if not torch.equal(found, right):
    sys.exit(f"{found.tolist()} where {right.tolist()} is right")
