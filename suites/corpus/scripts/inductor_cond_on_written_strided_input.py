# An input that is not dense, x[:, ::2], is written in place and then read in torch.cond: Inductor's branch asserts the strides of a
# dense copy, and dies: "expected size 2==2, stride 4==2". AOTAutograd alone, a dense input, and no write before the cond are right.
import sys
import torch

def program(x, index, which):
    x[index] = 1
    return torch.cond(which, lambda: x * 2, lambda: x - 1)

def run(backend, x):
    args = torch.tensor([0]), torch.tensor(False)
    expected = program(x.clone(), *args)
    torch._dynamo.reset()
    assert torch.equal(torch.compile(program, backend=backend, fullgraph=True)(x, *args), expected)

run("aot_eager", torch.randn(2, 4)[:, ::2])
run("inductor", torch.randn(2, 2))
try:
    run("inductor", torch.randn(2, 4)[:, ::2])
except AssertionError as error:
    if "expected size" not in str(error):
        raise
    sys.exit(str(error).splitlines()[0])
