# vLLM 0.33.0, awq_gemm_triton: the sum over the inner size is kept in the dtype of the scales, and so are the sums of
# split_k_iters parts, where torch's product of float16 is summed in float32. Here 4096 + 1 - 4096 is 0, and sums above
# 65504 on the way are infinite. Exits 1 while the bug is there, 0 when it is gone, 2 without vLLM's source:
# EAGERDIFF_VLLM=/folder/that/holds/vllm.
import os, sys, types
os.environ["TRITON_INTERPRET"] = "1"
root = os.environ.get("EAGERDIFF_VLLM", ".")
def put(name, **attributes):  # packages without what their __init__ runs, and what the file asks of others
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(attributes, __path__=[os.path.join(root, *name.split("."))])
import torch, triton, triton.language as tl
names = "vllm.model_executor.layers.quantization".split(".")
for count in range(1, len(names) + 1):
    put(".".join(names[:count]))
put("vllm.triton_utils", tl=tl, triton=triton)
cdiv = tl.cdiv  # the kernel's comments say that it does not take the interpreter's integers
tl.cdiv = lambda a, b: -(-a // b) if isinstance(a, int) and isinstance(b, int) else cdiv(a, b)
try:
    from vllm.model_executor.layers.quantization.awq_triton import awq_gemm_triton
except ImportError as error:
    sys.exit(print(f"needs vLLM's source: {error}") or 2)
ones = 0x11111111  # eight weights of 1
packed = torch.tensor([ones, ones, 0]).repeat_interleave(32)[:, None].int()  # 1, 1, 0 - 1 in groups of 32
zeros = torch.tensor([[0], [0], [ones]], dtype=torch.int32)
scales = torch.tensor([128, 1 / 32, 128]).half()[:, None].repeat(1, 8)
found = awq_gemm_triton(torch.ones(1, 96).half(), packed, scales, zeros, 1)[0, 0].item()
print(f"{found}, and 1.0 is right")
sys.exit(found != 1)
