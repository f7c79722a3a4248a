# The gradient of avg_pool1d(ceil_mode=True) where the last window reaches past the end: Inductor divides by the whole window's
# size, eager and the forward by the elements that there are. In silence; avg_pool2d and lp_pool alike.
import sys
import torch

def gradient(function):
    x = torch.ones(1, 1, 5, requires_grad=True)
    function(x).sum().backward()
    return x.grad.flatten().tolist()

def pool(x):
    return torch.nn.functional.avg_pool1d(x, 2, ceil_mode=True)

right, found = gradient(pool), gradient(torch.compile(pool))
if found != right:
    sys.exit(f"{found} where {right} is right")
