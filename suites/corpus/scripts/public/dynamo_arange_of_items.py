# arange between two 0-d tensors: a hard error where a graph break would do. github.com/pytorch/pytorch/issues/158058,
# open. Present on 2.13.0.
import torch
torch._dynamo.config.capture_scalar_outputs = True
@torch.compile(backend="eager")
def f(xs):
    a, b = xs
    return torch.arange(a, b)
f(torch.tensor([2, 4]))
