# cross_entropy with probabilities as targets and with weights of the classes. github.com/pytorch/pytorch/issues/182399,
# closed. Present on 2.11.0.
import torch
import torch.nn.functional as F
def fn(a, b, w): return F.cross_entropy(a, b, weight=w, reduction="none")
a = torch.randn(4, 3), torch.rand(4, 3), torch.tensor([1.0, 2.0, 3.0])
fn(*a)
torch.compile(fn, dynamic=True, backend="aot_eager")(*a)
