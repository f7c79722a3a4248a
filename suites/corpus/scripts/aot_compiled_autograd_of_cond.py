# The gradient of torch.cond, compiled with AOTAutograd, under compiled autograd: UncapturedHigherOrderOpError, the branches
# of its backward are lazy graph modules that Dynamo will not trace. Without compiled autograd it runs, as with "eager".
import sys
import torch
import torch._dynamo.compiled_autograd


def program(x):
    return torch.cond(x.sum() > 0, lambda part: part.sin(), lambda part: part.cos(), (x,))


x = torch.ones(3, requires_grad=True)
compiled = torch.compile(program, backend="aot_eager")
torch.autograd.grad(compiled(x).sum(), x)
try:
    with torch._dynamo.compiled_autograd._enable(lambda graph: torch.compile(graph, backend="aot_eager")):
        torch.autograd.grad(compiled(x).sum(), x)
except Exception as error:
    sys.exit(f"{type(error).__name__}: {str(error).splitlines()[0]}")
