# mark_unbacked(x, 0, strict=True) marks nothing unbacked: sizes 1 and 0 are specialised in silence, a compile each,
# where strict promises an error and the plain mark makes one graph. Seen with torch 2.13.0, cpu.
import sys
import torch

def graphs(strict):
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    compiled = torch.compile(lambda x: x * 2, fullgraph=True, backend="eager")
    for size in (7, 1, 0):
        x = torch.ones(size)
        torch._dynamo.decorators.mark_unbacked(x, 0, strict=strict)
        assert torch.equal(compiled(x), x * 2)
    return torch._dynamo.utils.counters["stats"]["unique_graphs"]

plain, strict = graphs(False), graphs(True)
if strict > plain:
    sys.exit(f"{strict} graphs for sizes 7, 1, 0 with strict=True, {plain} without")
