# A function that enters torch.inference_mode() and cannot be compiled (a dim is read from data): torch.compile(backend="aot_eager") raises, as
# it must, and leaves dispatch keys behind, Python and PythonDispatcher among them. Every later call of torch in the process fails, eager too:
# "Hit PythonDispatcher dispatch key but PythonDispatcherTLS was not set". The mode ends with the exception, after tracing, and restores what
# was in force while it was traced. With no_grad nothing is left.
import sys
import torch

def without_gradients(x, dim):
    with torch.no_grad():
        return x.cumsum(dim.item())

def in_inference_mode(x, dim):
    with torch.inference_mode():
        return x.cumsum(dim.item())

def later(program):
    x, dim = torch.ones(2, 3), torch.tensor(1)
    program(x, dim)
    try:
        with torch._dynamo.config.patch(capture_scalar_outputs=True):
            torch.compile(program, backend="aot_eager", fullgraph=True)(x, dim)
        raise AssertionError("it compiles: nothing is shown")
    except torch._dynamo.exc.BackendCompilerFailed:
        pass
    return torch.ones(2) + 1  # the exception is gone, and with it what holds the mode

later(without_gradients)
try:
    later(in_inference_mode)
except RuntimeError as error:
    sys.exit(f"torch.ones(2) + 1 raises {str(error)[:200]}")
