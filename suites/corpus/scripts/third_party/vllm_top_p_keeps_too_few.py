# vLLM 0.33.0, apply_top_k_top_p_triton: where top-k keeps all (k is the vocabulary's size) and top-p needs all, the least
# likely token is masked all the same: of probabilities 0.21 and 0.79, p = 0.87 needs both. So it is in the branch for
# top-p alone, which batches take that are too large for the split pipeline, and all that are not CUDA's.
# Triton's interpreter counts rows in Python's integers, which have no `.to`: the file is run without it.
# Exits 1 while the bug is there, 0 when it is gone, 2 without vLLM's source: EAGERDIFF_VLLM=/folder/that/holds/vllm.
import importlib.util, os, sys, tempfile, types
os.environ["TRITON_INTERPRET"] = "1"
path = os.path.join(os.environ.get("EAGERDIFF_VLLM", "."), "vllm/v1/sample/ops/topk_topp_triton.py")
if not os.path.exists(path):
    sys.exit(print(f"needs vLLM's source: no {path}") or 2)
import torch, triton, triton.language as tl
def put(name, **attributes):  # what the file asks of others
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(attributes, __path__=[])
def launching(kernel, warmup_inputs):  # what it says of a launch, launched: its arguments by the names of the kernel's
    def decorate(dispatch):
        def launch(*args):
            given = dict(zip(dispatch.__code__.co_varnames, args))
            grid, more = dispatch(*args)[:2]
            named = {name.upper(): one for name, one in given.items()} | more | {"LOGITS_STRIDE_0": args[0].stride(0)}
            kernel[grid](**{name: named[name] for name in kernel.arg_names})
        return launch
    return decorate
for name in ("vllm", "vllm.model_executor", "vllm.model_executor.warmup", "vllm.utils"):
    put(name)
put("vllm.model_executor.warmup.jit_warmup", WarmupChoices=None, WarmupIntRange=None, _when=None)
put("vllm.model_executor.warmup.jit_warmup_triton_helper", DispatchSpec=tuple, TritonWarmupTensor=None,
    triton_kernel_dispatcher_with_warmup=launching)
put("vllm.platforms", current_platform=types.SimpleNamespace(is_cuda_alike=lambda: False))
put("vllm.triton_utils", tl=tl, triton=triton)
put("vllm.utils.gpu_sync_debug", gpu_sync_allowed=__import__("contextlib").nullcontext)
put("vllm.utils.math_utils", next_power_of_2=triton.next_power_of_2)
put("vllm.utils.platform_utils", num_compute_units=lambda index=0: 4)
with tempfile.TemporaryDirectory() as folder:
    copy = os.path.join(folder, "copied.py")
    open(copy, "w").write(open(path).read().replace("row_id.to(tl.int64)", "row_id"))
    spec = importlib.util.spec_from_file_location("copied", copy)
    spec.loader.exec_module(module := importlib.util.module_from_spec(spec))
    found = module.apply_top_k_top_p_triton(torch.tensor([[0.21, 0.79]]).log(), torch.tensor([2]), torch.tensor([0.87]))
sys.exit(bool(found.isneginf().any()) and f"{found.tolist()}: both are wanted")
