# attorch at 67c2772, layer norm, RMS norm, batch norm, cross entropy and NLL loss: inputs have strides, the weight, the bias
# and labels do not: they are read side by side, whatever theirs. A weight that is every other element of a tensor, or
# labels that are a column, give another result, silently. Two elements show it.
# Exits 1 while the bug is there, 0 when it is gone, 2 without attorch: EAGERDIFF_ATTORCH=/folder/that/holds/attorch.
import os, sys
os.environ["TRITON_INTERPRET"] = "1"
import types
root = os.environ.get("EAGERDIFF_ATTORCH", ".")
if not os.path.exists(f"{root}/attorch/utils.py"):
    sys.exit(print(f"needs attorch: no {root}/attorch/utils.py") or 2)
sys.modules["attorch"] = types.ModuleType("attorch")  # without what its __init__ imports
sys.modules["attorch"].__path__ = [f"{root}/attorch"]
import torch, triton
class First:  # of the configurations: there is nothing to time
    def __init__(self, kernel, configs):
        self.kernel, self.options, self.best_config = kernel, configs[0].kwargs, configs[0]
    def __getitem__(self, grid):
        whole = lambda given: grid({**given, **self.options}) if callable(grid) else grid
        return lambda *args, **given: self.kernel[whole](*args, **given, **self.options)
triton.autotune = lambda configs, **_: lambda kernel: First(kernel, configs)
from attorch.cross_entropy_loss_layer import CrossEntropyLossAutoGrad
from attorch.layer_norm_layer import LayerNormAutoGrad
torch.manual_seed(0)
x, weight, labels = torch.randn(4, 8), torch.randn(16)[::2], torch.randint(0, 8, (4, 2))[:, 0]
found = LayerNormAutoGrad.apply(x, weight, None, 1e-5), CrossEntropyLossAutoGrad.apply(x, labels)
wanted = torch.nn.functional.layer_norm(x, (8,), weight), torch.nn.functional.cross_entropy(x, labels)
errors = [(one - right).abs().max().item() for one, right in zip(found, wanted)]
print("errors of layer norm and cross entropy", errors)
sys.exit(not max(errors) < 1e-4)
