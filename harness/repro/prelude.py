"""What a script needs to run the code that Inductor writes for GPUs where there is no GPU, and what where there is."""

INTERPRETER = """
import os
os.environ["TRITON_INTERPRET"] = "1"  # no GPU needed: Triton's interpreter runs the code that Inductor writes for GPUs
import math, types
import numpy as np
import torch._inductor.config, triton.language as tl
from torch._inductor.runtime import triton_compat, triton_helpers
from triton.backends.compiler import GPUTarget
from triton.runtime import driver, interpreter
class Libdevice:
    special = {"rsqrt": lambda x: 1 / np.sqrt(x), "erf": np.vectorize(math.erf, otypes=[float]), "pow": np.power}
    def of_torch(self, name):
        return lambda *given: getattr(torch.special, name)(*map(torch.from_numpy, given)).numpy()
    def __getattr__(self, name):
        def call(*args, **_):
            found = self.special.get(name) or getattr(np, name, None) or self.of_torch(name)
            data = found(*(x.handle.data for x in args))
            like = args[0].handle
            return tl.tensor(interpreter.TensorHandle(data.astype(like.data.dtype), like.dtype), args[0].type)
        return call
triton_compat.libdevice = triton_helpers.libdevice = Libdevice()
answers = {"get_current_target": GPUTarget("cuda", 90, 32), "get_current_device": 0, "get_current_stream": 0}
answers |= {"get_device_interface": torch.cpu, "set_current_device": None}
gpu = {"max_shared_mem": 232448, "multiprocessor_count": 132, "max_num_regs": 65536, "warpSize": 32}
utils = types.SimpleNamespace(get_device_properties=lambda _: gpu)
driver.set_active(types.SimpleNamespace(utils=utils, **{k: lambda *_, v=v: v for k, v in answers.items()}))
triton_helpers.set_driver_to_cpu = triton_helpers.set_driver_to_gpu = lambda: None
torch._inductor.config.cpu_backend, torch._inductor.config.compile_threads = "triton", 1
"""
"""For the interpreted device: an offline driver, a libdevice of numpy functions, Inductor's GPU back end."""

HASHED = """
import os, sys
hashed = os.getenv("PYTHONHASHSEED")
os.environ["PYTHONHASHSEED"] = "CHOSEN"  # the bug shows, or does not, by the order of a set of texts
if hashed != "CHOSEN":
    os.execv(sys.executable, [sys.executable, *sys.argv])
"""
"""For a bug that shows with some hashes of texts alone: the script starts itself again with those."""

ON_GPU = """
if not torch.cuda.is_available():
    sys.exit(print("needs an NVIDIA GPU") or 2)
def on_gpu(x):
    if not isinstance(x, torch.Tensor):
        return x
    moved, storage = torch.empty(0, dtype=x.dtype, device="cuda"), x.untyped_storage().cuda()
    return moved.set_(storage, x.storage_offset(), x.size(), x.stride())
"""
"""For a GPU: moves a tensor with its strides; a script that finds none is no answer."""

ROUNDS = 4
"""In which a script makes its calls at once: before each other one it forgets what it compiled."""

AT_ONCE = """
import contextvars, threading
sys.setswitchinterval(1e-5)
def at_once(function, calls):
    answers, barrier = [None] * 2 * len(calls), threading.Barrier(len(calls))
    def run(at):
        barrier.wait()
        for place, (args, options) in ((at, calls[at]), (len(calls) + at, calls[(at + 1) % len(calls)])):
            try:
                answers[place] = function(*copy.deepcopy(args), **options), None
            except Exception as error:
                answers[place] = None, error
    contexts = [contextvars.copy_context() for _ in calls]
    threads = [threading.Thread(target=context.run, args=(run, at)) for at, context in enumerate(contexts)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    return answers
answers = []
for number in range(ROUNDS):
    if number % 2 == 0:
        torch.compiler.reset()
    answers += at_once(implementation, calls)
calls = (calls + calls[1:] + calls[:1]) * ROUNDS
def implementation(*args, **options):
    output, error = answers.pop(0)
    if error is not None:
        raise error
    return output
""".replace("ROUNDS", str(ROUNDS))
"""For calls that are made at once, each in a thread: what they gave is told where it is checked."""
