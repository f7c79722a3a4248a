# gemlite 0.6.0.post2, gemm_splitK_INT_kernel: K is gone through in steps of BLOCK_SIZE_K * SPLIT_K (64 * 4 in its first
# configuration), and nothing masks the loads of scales and zeros: of 64 columns three of four programs read rows behind the
# scales. They are multiplied by weights that are masked to 0: what is infinite or NaN there makes the output NaN. (Columns
# past N are not masked, either: gemm_INT_kernel and gemv_INT_revsplitK_kernel read behind too.) Exits 1 while the bug is
# there, 0 when it is gone, 2 without gemlite: EAGERDIFF_GEMLITE=/folder/that/holds/gemlite (which imports tqdm).
import os, sys, types
os.environ["TRITON_INTERPRET"] = "1"
sys.path.insert(0, os.environ.get("EAGERDIFF_GEMLITE", "."))
import torch, triton, triton.language as tl
said = types.SimpleNamespace(backend="cuda", name="H100", multi_processor_count=1)  # which it asks for
torch.cuda.get_device_capability, torch.cuda.get_device_properties = lambda *_: (9, 0), lambda _: said
triton.runtime.driver.set_active(types.SimpleNamespace(get_current_target=lambda: said))
triton.autotune = lambda **options: lambda kernel: kernel
try:
    from gemlite.triton_kernels.gemm_splitK_kernels import gemm_splitK_INT_kernel
except ImportError as error:
    sys.exit(print(f"needs gemlite: {error}") or 2)
memory = torch.full((5, 16), float("nan")).half()
memory[0] = 1.0  # the scales: one row
x, weights, found = torch.ones(1, 64).half(), torch.ones(64, 16).to(torch.int8), torch.zeros(1, 16).half()
gemm_splitK_INT_kernel[(1, 4)](
    x, weights, found, memory[:1], memory[:1], None, 1, 16, 64, 1, 8, 64, 255, 1, 0, 2, 1, *x.stride(), *weights.stride(), *found.stride(),
    None, None, *memory.stride(), load_scales_as_block=0, input_dtype=tl.float16, output_dtype=tl.float16, acc_dtype=tl.float32,
    meta_dtype=tl.float16, channel_scale_mode=0, W_group_mode=2, zero_is_scalar=False, data_contiguous=True, use_tma=False,
    BLOCK_SIZE_M=16, BLOCK_SIZE_N=16, BLOCK_SIZE_K=64, GROUP_SIZE_M=8, SPLIT_K=4, NUM_STAGES=1, A_load_order=1)
print(f"{found.unique().tolist()} where 64 is right")
sys.exit(not torch.equal(found, torch.full_like(found, 64)))
