# torch.take_along_dim with dynamic=True: the tensor's sizes become constants, and every size compiles again;
# gather with the same index compiles once.
import sys
import torch

def graphs(program, calls):
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    compiled = torch.compile(program, backend="eager", fullgraph=True, dynamic=True)
    for call in calls:
        torch.testing.assert_close(compiled(*call), program(*call))
    return torch._dynamo.utils.counters["stats"]["unique_graphs"]

index = torch.tensor([[0, 3]])
calls = [(torch.randn(1, size), index) for size in (5, 6, 7, 8)]
blamed = graphs(lambda x, index: torch.take_along_dim(x, index, 1), calls)
control = graphs(lambda x, index: torch.gather(x, 1, index), calls)
if blamed > control:
    sys.exit(f"{blamed} graphs for {len(calls)} sizes, {control} of gather")
