# A 0-d float64 CPU tensor, used as a tensor alone: Dynamo guards on its value ("not math.isnan(v.item())"), so that a
# NaN compiles again; a float32 one is not guarded. Seen with torch 2.13.0, cpu.
import sys
import torch

def graphs(dtype):
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    compiled = torch.compile(lambda x, v: x + v, fullgraph=True, backend="eager", dynamic=True)
    for value in (1.0, 2.0, float("nan")):
        x, v = torch.randn(4, dtype=dtype), torch.tensor(value, dtype=dtype)
        assert torch.allclose(compiled(x, v), x + v, equal_nan=True)
    return torch._dynamo.utils.counters["stats"]["unique_graphs"]

wide, narrow = graphs(torch.float64), graphs(torch.float32)
if wide > narrow:
    sys.exit(f"{wide} graphs in float64, {narrow} in float32")
