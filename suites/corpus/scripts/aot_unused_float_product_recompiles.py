# A product with a float argument that is not used: AOTAutograd removes it before floats become tensors, takes
# the float for one that cannot and makes it a constant: every value compiles again. A product that is used does not.
import sys
import torch

def used(x, number):
    return x * number

def unused(x, number):
    x * number
    return x + 1

def graphs(program):
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    compiled, x = torch.compile(program, backend="aot_eager", fullgraph=True, dynamic=True), torch.ones(3)
    for number in (3.0, 2.5, -1.0, 0.25):
        torch.testing.assert_close(compiled(x, number), program(x, number))
    return torch._dynamo.utils.counters["stats"]["unique_graphs"]

if graphs(unused) > graphs(used):
    sys.exit(f"{graphs(unused)} graphs for 4 numbers that are not used, {graphs(used)} where they are")
