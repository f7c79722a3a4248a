# backed_size_oblivious: with a gradient, Inductor's backward asserts the strides of the first call (assert_size_stride with numbers)
# and dies in the next, of other sizes; without the setting, without a gradient, and with AOTAutograd alone it runs.
import sys
import torch

torch.fx.experimental._config.backed_size_oblivious = True

def run(backend):
    torch._dynamo.reset()
    compiled = torch.compile(torch.sin, backend=backend, dynamic=True, fullgraph=True)
    for size in (5, 7):
        x = torch.randn(3, size, requires_grad=True)
        out = compiled(x)
        (gradient,) = torch.autograd.grad(out, x, torch.ones_like(out))
        assert torch.allclose(gradient, x.cos())

run("aot_eager")
try:
    run("inductor")
except AssertionError as error:
    sys.exit(str(error)[:200])
