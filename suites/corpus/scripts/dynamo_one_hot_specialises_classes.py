# F.one_hot into as many classes as a tensor has rows, with dynamic=True: the number becomes a constant, and every size
# compiles again (the schema says int num_classes); a comparison with arange compiles once.
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

index = torch.tensor([0, 3])
calls = [(torch.randn(size), index) for size in (5, 6, 7, 8)]
blamed = graphs(lambda x, index: F.one_hot(index, x.shape[0]), calls)
control = graphs(lambda x, index: (index[:, None] == torch.arange(x.shape[0])).long(), calls)
if blamed > control:
    sys.exit(f"{blamed} graphs for {len(calls)} sizes, {control} of a comparison")
