# adasplash 0.2.2, triton_entmax: the backward of alpha 1.5, the default, takes tl.sqrt of the probabilities as they are, and
# Triton has none of float16 and bfloat16: it does not compile. Nor does any backward of triton_entmax_v1 in them (fast_powf
# of bfloat16 and float32). Exits 1 while the bug is there, 0 when it is gone, 2 without adasplash:
# EAGERDIFF_ADASPLASH=/folder/that/holds/adasplash.
import os, sys
sys.path.insert(0, os.environ.get("EAGERDIFF_ADASPLASH", "."))
try:
    import adasplash.triton_entmax_v2
except ImportError as error:
    sys.exit(print(f"needs adasplash: {error}") or 2)
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource, CompilationError
kernel = sys.modules["adasplash.triton_entmax_v2"]._bwd_entmax.fn
constants = {"ALPHA": 1.5, "SIZE_N": 10, "FAST_MATH": False, "BLOCK_N": 16}
source = ASTSource(kernel, dict.fromkeys(("Y", "DY", "DX"), "*bf16") | dict.fromkeys(constants, "constexpr"), constants)
try:
    triton.compile(source, target=GPUTarget("cuda", 90, 32))
except CompilationError as error:
    sys.exit(print(f"does not compile: {error.__cause__}") or 1)
print("compiles")
