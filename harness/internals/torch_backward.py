"""The engine of autograd as torch's Python calls it, and the modes of functions that are in force."""

from eagerdiff.harness.internals.hook import Hook

_WHY = "keeps tensors that a program wants on a GPU in host memory while gradients are taken"
HOOKS = {
    "engine": Hook("torch", "torch.autograd:_engine_run_backward", _WHY, since="2.3"),
    "modes": Hook("torch", "torch.overrides:_get_current_function_mode_stack", _WHY, since="2.1"),
}
