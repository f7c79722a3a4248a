# conch 1.3, gelu_tanh_and_mul: of float16 and bfloat16 the argument of libdevice.tanh stays narrow, and there is none
# for it: the kernel does not compile. Its `silu_and_mul` computes in float32.
# Exits 1 while the bug is there, 0 when it is gone, 2 without conch: EAGERDIFF_CONCH=/folder/that/holds/conch.
import os, sys
sys.path.insert(0, os.environ.get("EAGERDIFF_CONCH", "."))
try:
    from conch.kernels.activation.gelu_tanh_and_mul import _gelu_tanh_and_mul_kernel as kernel
except ImportError as error:
    sys.exit(print(f"needs conch: {error}") or 2)
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
constants = {"cxpr_block_size": 16, "cxpr_beta": 0.8, "cxpr_kappa": 0.044715}
names = ("out_ptr", "out_stride", "in_ptr", "in_stride", "d")
for kind in ("fp32", "fp16", "bf16"):
    signature = dict(zip(names, (f"*{kind}", "i32", f"*{kind}", "i32", "i32"))) | dict.fromkeys(constants, "constexpr")
    source = ASTSource(kernel, signature, constexprs={(kernel.arg_names.index(name),): one for name, one in constants.items()})
    try:
        triton.compile(source, target=GPUTarget("cuda", 80, 32), options={"num_warps": 4})
    except triton.compiler.errors.CompilationError as error:
        sys.exit(print(f"{kind}: {str(error).splitlines()[-1]}") or 1)
    except Exception as error:  # what comes after Triton's own intermediate code needs ptxas
        print(f"{kind}: {type(error).__name__}, after Triton's own part")
