# torchax 0.0.13: an exported program with torch.cond becomes a function that raises when it is called: the branches get
# JAX' tracers, for which torch's cond asks what they are.
# Exits 1 while the bug is there, 0 when it is gone, 2 without torchax: make engines ENGINE=jax.
import sys
import torch
gone = torch.library.Library("aten", "FRAGMENT")  # torchax 0.0.13 names what torch 2.13 has no more
for name in (
    "all.dimname all.dimname_out index_add.dimname index_copy.dimname index_copy_.dimname prod.dim_Dimname "
    "index_fill.Dimname_Scalar index_fill.Dimname_Tensor index_fill_.Dimname_Scalar index_fill_.Dimname_Tensor "
    "norm.names_ScalarOpt_dim norm.names_ScalarOpt_dim_dtype norm.names_dtype_out norm.names_out unbind.Dimname "
    "std.correction_names std.correction_names_out std.names_dim std.names_out std_mean.correction_names std_mean.names_dim"
).split():
    if not hasattr(getattr(torch.ops.aten, name.partition(".")[0]), name.partition(".")[2]):
        gone.define(f"{name}(Tensor self) -> Tensor")
try:
    import jax
    from torchax.export import exported_program_to_jax
except ImportError as error:
    sys.exit(print(f"needs {error.name}: pip install jax torchax") or 2)
class Cond(torch.nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x + 1, lambda x: x - 1, (x,))
weights, function = exported_program_to_jax(torch.export.export(Cond(), (torch.ones(3),)))
try:
    found = jax.jit(function)(weights, (jax.numpy.ones(3, dtype="float32"),))
except AssertionError as error:
    sys.exit(print(f"AssertionError: {str(error)[:90]}") or 1)
sys.exit(jax.tree.leaves(found)[0].tolist() != [2.0, 2.0, 2.0])
