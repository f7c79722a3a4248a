# gaussian_nll_loss: its check of the variance asks a tensor for a bool. github.com/pytorch/pytorch/issues/194503, open.
# Present on 2.13.0.
import torch
f = torch.compile(lambda i, t, v: torch.nn.functional.gaussian_nll_loss(i, t, v), fullgraph=True, backend="aot_eager")
f(torch.zeros(2, 3), torch.ones(2, 3), torch.ones(2, 3))
