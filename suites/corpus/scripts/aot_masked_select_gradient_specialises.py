# masked_select of a tensor that requires a gradient: AOTAutograd holds the dynamic dim to its first size and compiles
# for every new one; without the gradient one graph serves all. Seen with torch 2.13.0, cpu.
import sys
import torch
torch._dynamo.config.capture_dynamic_output_shape_ops = True

def graphs(requires_grad):
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    compiled = torch.compile(torch.masked_select, fullgraph=True, backend="aot_eager", dynamic=True)
    for size in (13, 15, 17):
        x = torch.randn(8, size, requires_grad=requires_grad)
        assert torch.equal(compiled(x, x > 0), torch.masked_select(x, x > 0))
    return torch._dynamo.utils.counters["stats"]["unique_graphs"]

without, with_gradient = graphs(False), graphs(True)
if with_gradient > without:
    sys.exit(f"{with_gradient} graphs for sizes 13, 15, 17 with a gradient, {without} without")
