# torch.linspace and logspace to as many steps as a tensor has rows, with dynamic=True: the number becomes a constant,
# and every size compiles again (the schema says int steps); arange to the same size compiles once.
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
blamed = graphs(lambda x: torch.linspace(0, 1, x.shape[0]), calls)
control = graphs(lambda x: torch.arange(x.shape[0]), calls)
if blamed > control:
    sys.exit(f"{blamed} graphs for {len(calls)} sizes, {control} of arange")
