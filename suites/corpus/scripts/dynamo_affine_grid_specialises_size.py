# F.affine_grid with dynamic=True: height and width, taken from a tensor's shape, become constants, and every size
# compiles again, although the operator's schema takes symbolic sizes (SymInt[] size).
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

calls = [(torch.randn(2, 2, 3), torch.randn(2, 2, size, size + 1)) for size in (5, 6, 7, 8)]
blamed = graphs(lambda theta, x: F.affine_grid(theta, x.shape, align_corners=False), calls)
control = graphs(lambda theta, x: F.interpolate(theta[None], size=x.shape[2:]), calls)
if blamed > control:
    sys.exit(f"{blamed} graphs for {len(calls)} sizes, {control} of interpolate")
