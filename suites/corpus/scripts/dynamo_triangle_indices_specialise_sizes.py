# torch.triu_indices and tril_indices with dynamic=True: the numbers of rows and columns become constants, and every
# size compiles again (an unbacked size raises); triu of a mask of that size compiles once.
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
blamed = graphs(lambda x: torch.triu_indices(x.shape[0], x.shape[0]), calls)
control = graphs(lambda x: torch.ones(x.shape[0], x.shape[0]).triu(), calls)
if blamed > control:
    sys.exit(f"{blamed} graphs for {len(calls)} sizes, {control} of triu")
