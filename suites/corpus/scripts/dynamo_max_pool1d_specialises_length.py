# F.max_pool1d without gradients, with dynamic=True: the length becomes a constant, and every length compiles again;
# the same pool as max_pool2d compiles once.
import sys
import torch
import torch.nn.functional as F

def graphs(program, calls):
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    compiled = torch.compile(program, backend="eager", fullgraph=True, dynamic=True)
    for call in calls:
        torch.testing.assert_close(compiled(*call), program(*call))
    return torch._dynamo.utils.counters["stats"]["unique_graphs"]

calls = [(torch.randn(2, 3, size),) for size in (5, 6, 7, 8)]
blamed = graphs(lambda x: F.max_pool1d(x, 2, stride=1), calls)
control = graphs(lambda x: F.max_pool2d(x[:, :, None], (1, 2), stride=1)[:, :, 0], calls)
if blamed > control:
    sys.exit(f"{blamed} graphs for {len(calls)} sizes, {control} of max_pool2d")
