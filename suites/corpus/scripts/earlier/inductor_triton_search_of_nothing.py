# Inductor's binary search of an empty tensor (torch.searchsorted, torch.bucketize) is a kernel that Triton does not
# compile for a GPU: its pass TritonGPUCoalesce fails. Needs Triton, and no GPU.
# Seen with torch 2.11, gone in 2.13.
import sys
import triton
import triton.language as tl
from torch._inductor.runtime.triton_helpers import bucketize_binary_search
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

@triton.jit
def search(sorted_ptr, out_ptr, SIZE: tl.constexpr, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    found = bucketize_binary_search(index, sorted_ptr, SIZE, SIZE, 1, 0, tl.int64, False, None, None, None)
    tl.store(out_ptr + index, found)

def compile_for(size):
    signature = {"sorted_ptr": "*i64", "out_ptr": "*i64", "SIZE": "constexpr", "BLOCK": "constexpr"}
    source = ASTSource(search, signature, constexprs={"SIZE": size, "BLOCK": 2})
    triton.compile(source, target=GPUTarget("cuda", 90, 32))

compile_for(1)
try:
    compile_for(0)
except RuntimeError as error:
    sys.exit(f"a search among 0 elements: {error}")
