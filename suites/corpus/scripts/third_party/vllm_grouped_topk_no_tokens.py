# vLLM 0.33, grouped_topk (DeepSeek's routing): scores.view(num_token, num_expert_group, -1) has no one meaning where there
# is no token, and a batch of none raises instead of giving no routes.
# Exits 1 while the bug is there, 0 when it is gone, 2 without vLLM's source: EAGERDIFF_VLLM=/folder/that/holds/vllm.
import os, sys
import importlib.util, types
path = os.path.join(os.environ.get("EAGERDIFF_VLLM", "."), "vllm/model_executor/layers/fused_moe/router/grouped_topk_router.py")
if not os.path.exists(path):
    sys.exit(print(f"needs vLLM's source: no {path}") or 2)
import torch
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
for name in ("", "_custom_ops", "forward_context", "model_executor.utils",
             f"{moe}.experts.rocm_aiter_moe", f"{moe}.router.fused_topk_bias_router", f"{moe}.router.fused_topk_router"):
    put(name)
put("envs", VLLM_USE_FUSED_MOE_GROUPED_TOPK=False, VLLM_BATCH_INVARIANT=False)
put("_aiter_ops", rocm_aiter_ops=None)
put("distributed.eplb.eplb_state", EplbLayerState=object)
put(f"{moe}.config", RoutingMethodType=object)
put("model_executor.custom_op", CustomOp=type("CustomOp", (), {"register": staticmethod(lambda name: lambda operation: operation)}))
put("platforms", current_platform=types.SimpleNamespace(simple_compile_backend="eager"))
put(f"{moe}.router.base_router", BaseRouter=object)
spec = importlib.util.spec_from_file_location("grouped_topk_router", path)
spec.loader.exec_module(module := importlib.util.module_from_spec(spec))
try:
    nothing = torch.empty(0, 8)
    weights, ids = module.grouped_topk(nothing, nothing, 2, True, num_expert_group=4, topk_group=2)
except RuntimeError as error:
    sys.exit(print(f"raises {str(error)[:200]!r}") or 1)
sys.exit(ids.shape != (0, 2))
