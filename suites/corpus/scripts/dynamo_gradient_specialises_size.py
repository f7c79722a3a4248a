# torch.gradient with dynamic=True: the size of the dim becomes a constant, and every size compiles again;
# diff, which subtracts neighbours alike, compiles once.
import sys
import torch

def graphs(program, calls):
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    compiled = torch.compile(program, backend="eager", fullgraph=True, dynamic=True)
    for call in calls:
        torch.testing.assert_close(compiled(*call), program(*call))
    return torch._dynamo.utils.counters["stats"]["unique_graphs"]

calls = [(torch.randn(size),) for size in (5, 6, 7, 8)]
blamed = graphs(lambda x: torch.gradient(x)[0], calls)
control = graphs(lambda x: torch.diff(x), calls)
if blamed > control:
    sys.exit(f"{blamed} graphs for {len(calls)} sizes, {control} of diff")
