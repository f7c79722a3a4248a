# programs, inductor_triton.dynamic+config on interpreted: WRONG_VALUE [0] an element is off by more than its terms and eager's error allow (rmse 6.16e+29, eager_rmse 5.67e+22, excess 2.68e+05, worst_error 8.98e+29, worst_allowed 3.35e+24, worst_index 11, allowed 3.14e+24, got 0, expected -8.97621e+29
# Exits 1 while the bug is there, 0 when it is gone. Seen with torch 2.13.0+cpu.

import copy
import sys
import torch
from torch.utils._pytree import tree_leaves, tree_map

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

import torch.nn.functional as F

def program(x0, x1, x2):
    v4 = F.layer_norm(x0 + x1, x0.shape[-1:], x2)
    return (v4,)
reference = program
torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True
compiled = torch.compile(program, backend='inductor', dynamic=True, fullgraph=True, options={'compile_threads': 1, 'cpu_backend': 'triton', 'triton.coalesce_tiling_analysis': False, 'triton.persistent_reductions': False, 'triton.tile_reductions': True, 'triton.tiling_prevents_reduction_fusion': False, 'fallback_random': True})
implementation = compiled

calls = [
    ((torch.tensor([1.2497855424880981, 1.8124922513961792, -0.4918902814388275, -0.14617200195789337, -1.247912883758545, 0.050254106521606445, 0.20832598209381104, 0.3056853115558624, 2.546208620071411, -0.12187134474515915, 0.23431161046028137, -0.8256453275680542, -1.0079102516174316, 1.7057139873504639, -1.7354799509048462, -0.522633969783783, -1.3347247838974, -0.7282850742340088, -0.20972593128681183, 0.9978501796722412, -0.29903358221054077, 0.4686541259288788, 0.33588555455207825, -0.5682824850082397], dtype=torch.float32).reshape((4, 1, 2, 3)), torch.tensor([-48.10165023803711, 75.06626892089844, -1.6151349544525146, -74.5528335571289, 28.501399993896484, 51.88081359863281, 8.748080253601074, 212.49964904785156, -185.16131591796875, 130.68362426757812, 71.17222595214844, 59.73087692260742, -33.5308952331543, -30.281219482421875, 34.25337600708008, 131.06874084472656, -89.74191284179688, -46.34515380859375, -28.005779266357422, -35.88711166381836, 124.74212646484375, 13.04046630859375, -10.59174919128418, 56.66443634033203], dtype=torch.float32).reshape((4, 1, 2, 3)), torch.tensor([0.2746729254722595, -0.14846773445606232, 1.0000000150474662e+30], dtype=torch.float32), ), {}),
]

def upcast(value):
    return tree_map(lambda x: x.double() if isinstance(x, torch.Tensor) and x.is_floating_point() else x, value)

def wrong(got, want, exact):
    if not isinstance(got, torch.Tensor) or not isinstance(want, torch.Tensor):
        return type(got) is not type(want) or got != want
    if got.shape != want.shape or not want.is_floating_point() or exact.shape != want.shape:
        return got.dtype != want.dtype or not torch.equal(got, want)
    pairs = (got, exact), (want, exact), (exact, 0 * exact)
    off, eager, scale = ((x.double() - y).nan_to_num(0, 0, 0).abs().reshape(-1) for x, y in pairs)
    allowed = 4 * eager.amax() + 16 * torch.finfo(want.dtype).eps * scale.amax() if off.numel() else 0
    return got.dtype != want.dtype or not torch.equal(got.isfinite(), want.isfinite()) or bool((off > allowed).any())

for number, (args, options) in enumerate(calls):
    want, exact = reference(*copy.deepcopy(args), **options), reference(*upcast(args), **options)
    got = implementation(*args, **options)
    if any(wrong(*three) for three in zip(*map(tree_leaves, (got, want, exact)), strict=True)):
        sys.exit(f"call {number} differs from eager: {got} instead of {want}")
