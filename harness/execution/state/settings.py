"""Settings of torch that change what later calls compute, or how."""

import functools
from collections.abc import Callable, Mapping

import torch

from eagerdiff.harness.internals.torch_modes import dispatch_keys, modes_in_force

_SMALLEST = 5e-324


def settings() -> dict[str, object]:
    """Return each setting by the name of the function that tells it."""
    return {name: read() for name, read in _readers().items()} | {
        "modes of torch in force": modes_in_force(),
        "dispatch keys in force": dispatch_keys(),
        "denormal numbers": _SMALLEST * 1.0 > 0,  # the processor's, which torch.set_flush_denormal takes away
    }


@functools.cache
def _readers() -> Mapping[str, Callable[[], object]]:
    cuda, cudnn, sdp = torch.backends.cuda.matmul, torch.backends.cudnn, torch.backends.cuda
    return {
        "torch.get_default_dtype()": torch.get_default_dtype,
        "torch.is_grad_enabled()": torch.is_grad_enabled,
        "torch.is_inference_mode_enabled()": torch.is_inference_mode_enabled,
        "torch.is_anomaly_enabled()": torch.is_anomaly_enabled,
        "torch.is_autocast_enabled('cpu')": lambda: torch.is_autocast_enabled("cpu"),
        "torch.is_autocast_enabled('cuda')": lambda: torch.is_autocast_enabled("cuda"),
        "torch.get_num_threads()": torch.get_num_threads,
        "torch.are_deterministic_algorithms_enabled()": torch.are_deterministic_algorithms_enabled,
        "torch.is_deterministic_algorithms_warn_only_enabled()": torch.is_deterministic_algorithms_warn_only_enabled,
        "torch.get_float32_matmul_precision()": torch.get_float32_matmul_precision,
        "torch.is_warn_always_enabled()": torch.is_warn_always_enabled,
        "torch.backends.cudnn.enabled": lambda: cudnn.enabled,
        "torch.backends.cudnn.benchmark": lambda: cudnn.benchmark,
        "torch.backends.cudnn.deterministic": lambda: cudnn.deterministic,
        "torch.backends.cudnn.allow_tf32": lambda: cudnn.allow_tf32,
        "torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction": (
            lambda: cuda.allow_fp16_reduced_precision_reduction
        ),
        "torch.backends.cuda.flash_sdp_enabled()": sdp.flash_sdp_enabled,
        "torch.backends.cuda.math_sdp_enabled()": sdp.math_sdp_enabled,
        "torch.backends.mkldnn.enabled": lambda: torch.backends.mkldnn.enabled,
    }
