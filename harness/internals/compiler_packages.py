"""Which packages an exception of torch's compilers comes from, and what each is at work on."""

from eagerdiff.harness.internals.hook import Hook

LAYERS = {
    "torch._dynamo.eval_frame": "runtime",
    "torch._dynamo.external_utils": "runtime",
    "torch._inductor.runtime": "runtime",
    "torch._inductor.output_code": "runtime",
    "torch._functorch._aot_autograd.runtime_wrappers": "runtime",
    "torch.fx.graph_module": "runtime",
    "torch.fx.interpreter": "runtime",
    "torch.export.exported_program": "runtime",
    "torch.export._unlift": "runtime",
    "torch.export._swap": "runtime",
    "torch._dynamo": "dynamo",
    "torch._functorch": "tracing",
    "torch._subclasses": "tracing",
    "torch._decomp": "tracing",
    "torch._refs": "tracing",
    "torch.fx": "tracing",
    "torch._inductor": "inductor",
    "torch._export": "export",
    "torch.export": "export",
}
"""Package → the value of `Layer`; of two packages that hold a module, the first counts."""
HOOKS = {
    package: Hook("torch", package, f"tells that an exception is of the layer {layer}", since="2.11")
    for package, layer in LAYERS.items()
}
PLUMBING = (
    "torch",
    "torch._compile",
    "torch._export",
    "torch._guards",
    "torch._higher_order_ops",
    "torch._inductor.compile_fx",
    "torch._inductor.graph",
    "torch._inductor.runtime",
    "torch._inductor.sizevars",
    "torch._utils_internal",
    "torch._dispatch",
    "torch._dynamo",
    "torch._functorch",
    "torch._library",
    "torch._logging",
    "torch._ops",
    "torch._prims_common.wrappers",
    "torch._subclasses",
    "torch.autograd",
    "torch.export",
    "torch.fx",
    "torch.nn.modules.module",
    "torch.overrides",
    "torch.utils",
)
"""Modules, with all in them, that hand an operation on or answer what it asks of sizes; `torch` stands for itself."""
