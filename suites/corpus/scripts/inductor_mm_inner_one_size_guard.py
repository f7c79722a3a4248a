# Inductor's decomposition of mm with an inner size of 1 branches on numel(a) + numel(b) <= 32 (cpu), which becomes a
# guard on the dynamic batch: a size of the batch alone costs a further compile under dynamic=True.
import sys
import torch

compiled = torch.compile(lambda x, w: x @ w, fullgraph=True, dynamic=True)
x_w = torch.randn(1, 12)
torch._dynamo.mark_static(x_w)
for batch in (9, 13, 115):
    compiled(torch.randn(batch, 1), x_w)
graphs = torch._dynamo.utils.counters["stats"]["unique_graphs"]
if graphs > 1:
    sys.exit(f"{graphs} graphs for batches 9, 13, 115 under dynamic=True; 1 suffices")
