# vLLM 0.33, fused_experts: a route of id -1 (one that is not there) counts as zero where there is an expert map, or few
# tokens for the experts; otherwise its row is left unwritten, and whatever lies in memory is added to the token.
# Exits 1 while the bug is there, 0 when it is gone, 2 without vLLM's source: EAGERDIFF_VLLM=/folder/that/holds/vllm.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import importlib.util, types
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
def align(ids, size, experts, expert_map, ignore_invalid_experts):  # as moe_align_sum_kernels.cu: -1 is in no block
    real = (ids.flatten() == 0).nonzero().flatten().int()
    return torch.nn.functional.pad(real, (0, size - len(real)), value=ids.numel()), torch.zeros(1).int(), torch.tensor([size]).int()
moe = "model_executor.layers.fused_moe"
for name in ("", "model_executor", "model_executor.layers", moe, "envs", "logger", "platforms", "utils",
             "triton_utils.allocation", "utils.math_utils", "utils.platform_utils", "utils.torch_utils"):
    put(name)
put("triton_utils", triton=triton, tl=triton.language)
put(f"{moe}.config", FusedMoEQuantConfig=object)
put("_custom_ops", moe_sum=lambda routes, out: out.copy_(routes.sum(dim=1)))
put(f"{moe}.moe_align_block_size", moe_align_block_size=align)
put(f"{moe}.activation", MoEActivation=types.SimpleNamespace(from_str=str, SILU=None), apply_moe_activation=lambda name, out, x: out.copy_(x))
put(f"{moe}.modular_kernel", FusedMoEExpertsModular=types.SimpleNamespace(adjust_N_for_activation=lambda columns, name: columns))
put(f"{moe}.utils", moe_kernel_quantize_input=lambda A, **options: (A, None))
spec = importlib.util.spec_from_file_location("fused_moe", path)
spec.loader.exec_module(module := importlib.util.module_from_spec(spec))
torch.use_deterministic_algorithms(True)  # which fills uninitialised memory with NaN
x, weights = torch.ones(2, 16).half(), torch.ones(1, 16, 16).half()
found = module.fused_experts_impl(x, weights, weights, torch.eye(2)[:, :1], torch.tensor([[0], [-1]]).int())[:, 0].tolist()
print(f"{found} where [256.0, 0.0] is right")
sys.exit(found != [256.0, 0.0])
