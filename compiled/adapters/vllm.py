"""vLLM's source tree: what its kernels' files import beside the kernels, stood in for; `EAGERDIFF_VLLM` names it.

Of vLLM's compiled operations none is there: its platform says that it is not CUDA, so that none is asked for.
"""

import enum
import logging
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import torch
import triton
import triton.language as tl

from eagerdiff import SourceTree


class _QuantMode(enum.IntEnum):
    NONE = 0
    FP8_PER_TENSOR = 1
    INT8_PER_TOKEN_HEAD = 2
    FP8_PER_TOKEN_HEAD = 3
    INT4_PER_TOKEN_HEAD = 4


class Logger(logging.Logger):
    """Log once what is to be logged once; here, nothing is loud."""

    warning_once = info_once = logging.Logger.debug


def _never(*args: Any) -> bool:
    return False


def _device_name() -> str:
    return torch.cuda.get_device_name().replace(" ", "_") if torch.cuda.is_available() else "none"


PLATFORM = SimpleNamespace(
    fp8_dtype=lambda: torch.float8_e4m3fn,
    is_cuda=_never,
    is_cuda_alike=_never,
    is_device_capability_family=_never,
    is_rocm=_never,
    is_xpu=_never,
    register_custom_kv_cache_specs=_never,
    simple_compile_backend="inductor",
)
STAND_INS: Mapping[str, Mapping[str, Any]] = {
    "vllm.envs": {
        "VLLM_BATCH_INVARIANT": False,
        "VLLM_TUNED_CONFIG_FOLDER": None,
        "VLLM_USE_FUSED_MOE_GROUPED_TOPK": False,
    },
    "vllm.logger": {"init_logger": Logger},
    "vllm.platforms": {"current_platform": PLATFORM},
    "vllm.triton_utils": {"triton": triton, "tl": tl, "__path__": []},
    "vllm.triton_utils.allocation": {"set_triton_allocator": lambda device: None},
    "vllm.utils.math_utils": {
        "cdiv": triton.cdiv,
        "next_power_of_2": triton.next_power_of_2,
        "round_up": lambda x, y: -(-x // y) * y,
    },
    "vllm.utils.platform_utils": {"get_device_name_as_file_name": _device_name},
    "vllm.utils.torch_utils": {"direct_register_custom_op": lambda **given: None},
    "vllm.v1.kv_cache_interface": {"KVQuantMode": _QuantMode},
}
"""What several of its kernels read: a worker may load more than one, and a module that is loaded stays."""


def source_tree(module: str, stand_ins: Mapping[str, Mapping[str, Any]] | None = None) -> SourceTree:
    """Return where a module of vLLM is, with what stands in for others besides the common ones."""
    return SourceTree("vllm", "EAGERDIFF_VLLM", (module,), {**STAND_INS, **(stand_ins or {})})
