# torch.unravel_index with dynamic=True: the shape that is given becomes constants, and every size compiles again;
# the same division and remainder, written out, compile once.
import sys
import torch

def graphs(program, calls):
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    compiled = torch.compile(program, backend="eager", fullgraph=True, dynamic=True)
    for call in calls:
        torch.testing.assert_close(compiled(*call), program(*call))
    return torch._dynamo.utils.counters["stats"]["unique_graphs"]

index = torch.tensor([0, 3])
calls = [(torch.randn(2, size), index) for size in (5, 6, 7, 8)]
blamed = graphs(lambda x, index: torch.stack(torch.unravel_index(index, x.shape)), calls)
control = graphs(lambda x, index: torch.stack((index // x.shape[1] % x.shape[0], index % x.shape[1])), calls)
if blamed > control:
    sys.exit(f"{blamed} graphs for {len(calls)} sizes, {control} written out")
