# vLLM 0.33, fused_moe_kernel_gptq_awq (int4 experts): packed weights are loaded with no mask where a block of 64 columns
# (one token; of 32 else) is wider than they are: 16 bytes behind the last row. A page that may not be read lies there.
# Dies while the bug is there, exits 0 when it is gone, 2 without vLLM's source: EAGERDIFF_VLLM=/folder/that/holds/vllm.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import ctypes, importlib.util, mmap, types
path = os.path.join(os.environ.get("EAGERDIFF_VLLM", "."), "vllm/model_executor/layers/fused_moe/fused_moe.py")
if not os.path.exists(path):
    sys.exit(print(f"needs vLLM's source: no {path}") or 2)
import torch, triton, triton.language
class Module(types.ModuleType):  # of vLLM the file of the kernel is imported; what it asks of others is None
    __path__ = []
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return sys.modules.get(f"{self.__name__}.{name}") or (lambda *args, **options: None)
def put(name, **attributes):
    module = sys.modules[f"vllm.{name}".rstrip(".")] = Module(f"vllm.{name}".rstrip("."))
    module.__dict__.update(attributes)
moe = "model_executor.layers.fused_moe"
for name in ("", "model_executor", "model_executor.layers", moe, "envs", "logger", "platforms", "utils",
             f"{moe}.modular_kernel", f"{moe}.moe_align_block_size", f"{moe}.utils", "_custom_ops", "triton_utils.allocation",
             "utils.math_utils", "utils.platform_utils", "utils.torch_utils"):
    put(name)
put("triton_utils", triton=triton, tl=triton.language)
put(f"{moe}.config", FusedMoEQuantConfig=object)
put(f"{moe}.activation", MoEActivation=types.SimpleNamespace(SILU=None))
spec = importlib.util.spec_from_file_location("fused_moe", path)
spec.loader.exec_module(module := importlib.util.module_from_spec(spec))
pages = mmap.mmap(-1, 2 * mmap.PAGESIZE)
start = ctypes.addressof(ctypes.c_char.from_buffer(pages))
ctypes.CDLL(None).mprotect(ctypes.c_void_p(start + mmap.PAGESIZE), mmap.PAGESIZE, 0)
weights = torch.frombuffer(pages, dtype=torch.uint8, count=512, offset=mmap.PAGESIZE - 512).view(1, 32, 16)  # [E, N, K / 2]
x, scales, one = torch.ones(1, 32).half(), torch.ones(1, 32, 1), torch.ones(1, 1)
rows = torch.tensor([0, *[1] * 15]).int()  # a block of 16 rows, of which one is a token's
module.invoke_fused_moe_wna16_triton_kernel(
    x, weights, torch.empty(1, 1, 32).half(), scales, None, one, rows, torch.zeros(1).int(), torch.tensor([16]).int(), False, 1,
    {"BLOCK_SIZE_M": 16, "GROUP_SIZE_M": 1, "SPLIT_K": 1}, triton.language.float16, False, True, [0, 32])
