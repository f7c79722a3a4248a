# transformers 5.24.0: the default experts of Mixtral, Qwen2-MoE and others loop in Python over the experts that get a token, which
# are as many as data says: torch.export refuses. "grouped_mm" and "batched_mm" for config._experts_implementation loop over none.
# Exits 1 while the bug is there, 0 when it is gone, 2 without transformers (EAGERDIFF_TRANSFORMERS names a folder that holds it).
# Seen with torch 2.13.0.
import os, sys
import torch
sys.path.insert(0, os.environ.get("EAGERDIFF_TRANSFORMERS", "."))
try:
    from transformers import MixtralConfig
    from transformers.models.mixtral.modeling_mixtral import MixtralSparseMoeBlock
except ImportError as error:
    sys.exit(print(f"needs transformers: {error}") or 2)
config = MixtralConfig(hidden_size=32, intermediate_size=40, num_local_experts=4)
if len(sys.argv) > 1:
    config._experts_implementation = sys.argv[1]
block, x = MixtralSparseMoeBlock(config).eval(), torch.randn(5, 6, 32)
for weight in block.parameters():
    torch.nn.init.normal_(weight, 0, 0.3)
dims = {0: torch.export.Dim("batch"), 1: torch.export.Dim("length")}
program = torch.export.export(block, (x,), dynamic_shapes=(dims,)).module()
sys.exit(not torch.allclose(program(x[:3]), block(x[:3]), atol=1e-4))
