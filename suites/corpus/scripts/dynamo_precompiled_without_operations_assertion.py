# aot_compile of a function that returns its argument in a tuple, or only its size: "AssertionError: backend_input must not be None".
# There is no graph to compile, which torch.compile takes; so does aot_compile where the argument is returned as it is.
import sys
import torch

def plain(x):
    return x

def paired(x):
    return (x,)

x = torch.ones(3)
assert torch.equal(torch.compile(paired, backend="aot_eager", fullgraph=True)(x)[0], x)
for function in (plain, paired):
    try:
        torch.compile(function, backend="aot_eager", fullgraph=True).aot_compile(((x,), {}))
    except AssertionError as error:
        sys.exit(f"{function.__name__}: {error}")
