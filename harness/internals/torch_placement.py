"""Where torch's own Python decides which device a tensor is on, or calls what a program wrote: autograd's engine."""

from eagerdiff.harness.internals.hook import Hook

_WHY = "keeps tensors that a program wants on a GPU in host memory"
HOOKS = {
    "engine": Hook("torch", "torch.autograd:_engine_run_backward", _WHY, since="2.3"),
    "modes": Hook("torch", "torch.overrides:_get_current_function_mode_stack", _WHY, since="2.1"),
    "unseen": Hook("torch", "torch._C:DisableTorchFunction", "runs kernels outside a program's modes", since="2.1"),
    "destroy": Hook("torch", "torch.library:Library._destroy", "forgets what a program registered", since="2.3"),
    "parse": Hook("torch", "torch._C._nn:_parse_to", _WHY, since="2.1"),
}
