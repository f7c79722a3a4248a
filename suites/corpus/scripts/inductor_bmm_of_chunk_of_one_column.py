# float16 q @ k.mT of chunks of a dynamic dim of 3, one column each: Inductor multiplies in place of bmm, for the inner size
# is 1, but writes that size as (s + 2)//3 and does not broadcast it: silent wrong values, read out of bounds on a GPU.
import sys
import torch

def scores(x):
    q, k, _ = x.chunk(3, dim=-1)
    return q @ k.mT

x = torch.arange(24.0).reshape(2, 4, 3).half()
right, found = scores(x), torch.compile(scores, dynamic=True)(x)
if not torch.equal(found, right):
    sys.exit(f"{found[0, 1].tolist()} where {right[0, 1].tolist()} is right")
