# A block marked nested_compile_region and called twice cannot be compiled again for an input whose stride is a product
# of sizes (KeyError: s27*s53): the second call of the block looks the product up among the graph's plain symbols.
import sys
import torch

@torch.compiler.nested_compile_region
def block(x):
    return x * 2

@torch.compile(backend="eager", dynamic=True)
def twice(x):
    return block(x) + block(x)

for x in (torch.ones(2, 5, 8).transpose(1, 2), torch.ones(2, 8, 5)):
    try:
        got = twice(x)
    except Exception as error:
        sys.exit(f"{type(error).__name__}: {str(error).splitlines()[0]}")
    assert torch.equal(got, x * 4)
