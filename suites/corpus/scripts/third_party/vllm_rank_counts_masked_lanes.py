# vLLM 0.33.0, the rank of a token among its row's logits (compute_topk_scores): lanes past the vocabulary are loaded as
# -inf, and counted with those logits that are no less than the token's. Of a token that is masked out (-inf: a grammar,
# bad words, top-k) the rank is 8192 or more in place of the vocabulary's size.
# Exits 1 while the bug is there, 0 when it is gone, 2 without vLLM's source: EAGERDIFF_VLLM=/folder/that/holds/vllm.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import types
root = os.environ.get("EAGERDIFF_VLLM", ".")
def put(name, **attributes):  # packages without what their __init__ runs, and what the file asks of others
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(attributes, __path__=[os.path.join(root, *name.split("."))])
import torch, triton, triton.language as tl
for name in ("vllm", "vllm.v1", "vllm.v1.worker", "vllm.v1.worker.gpu", "vllm.v1.worker.gpu.sample"):
    put(name)
put("vllm.sampling_params", MAX_LOGPROB_TOKEN_IDS=128, SamplingParams=object)
put("vllm.triton_utils", tl=tl, triton=triton)
put("vllm.v1.outputs", LogprobsTensors=lambda **given: types.SimpleNamespace(**given))
put("vllm.v1.worker.gpu.buffer_utils", StagedWriteTensor=None, UvaBackedTensor=None)
try:
    from vllm.v1.worker.gpu.sample.logprob import compute_topk_scores
except ImportError as error:
    sys.exit(print(f"needs vLLM's source: {error}") or 2)
logits = torch.tensor([[1.0, 2.0, -torch.inf]])
found = compute_topk_scores(logits, 0, torch.tensor([2])).selected_token_ranks.tolist()
print(found, "in place of", [3])
sys.exit(found != [3])
