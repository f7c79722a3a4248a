# F.adaptive_avg_pool1d to a size that is taken from a shape, with dynamic=True: it becomes a constant, and every size
# compiles again (the schema says int[1]); adaptive_avg_pool2d (SymInt[2]) compiles once.
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

calls = [(torch.randn(2, 3, 12), torch.randn(size)) for size in (5, 6, 7, 8)]
blamed = graphs(lambda x, y: F.adaptive_avg_pool1d(x, y.shape[0]), calls)
control = graphs(lambda x, y: F.adaptive_avg_pool2d(x[:, :, None], (1, y.shape[0]))[:, :, 0], calls)
if blamed > control:
    sys.exit(f"{blamed} graphs for {len(calls)} sizes, {control} of adaptive_avg_pool2d")
