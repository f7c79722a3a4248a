# torch._check(a % b == 0) is forgotten once a and b are known not to be negative: the same question is a guard on data
# then. github.com/pytorch/pytorch/issues/133655, open. Present on 2.13.0.
import torch
torch._dynamo.config.capture_scalar_outputs = True
@torch.compile(backend="eager", fullgraph=True)
def f(x):
    a, b = x.tolist()
    torch._check(a % b == 0); torch._check_is_size(a); torch._check_is_size(b)
    return torch.tensor(True) if a % b == 0 else torch.tensor(False)
f(torch.tensor([6, 3]))
