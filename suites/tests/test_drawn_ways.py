"""Ways of compiling drawn code: each finds a planted fault of torch that its neighbours pass over."""

import ast
import copy
import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
import torch
from torch._dynamo import eval_frame, output_graph, side_effects
from torch._dynamo.compiled_autograd import AutogradCompilerInstance
from torch._dynamo.variables import builder
from torch._dynamo.variables.functions import LocalGeneratorObjectVariable
from torch.export import _draft_export, decomp_utils

from eagerdiff import Outcome, Status, Workload
from eagerdiff.compiled.export_path import DRAWN_PATHS, ExportPath
from eagerdiff.compiled.rewriting.breaks import KINDS
from eagerdiff.harness.devices import parse
from eagerdiff.harness.execution.execution import execute
from eagerdiff.strategies.programs.cases import ProgramCase
from eagerdiff.strategies.programs.program import Input, Node, Program
from eagerdiff.suites.programs import OPERATOR
from eagerdiff.suites.tests.usual import others_slow

CPU = parse("cpu")
WAYS = {one.name: one for one in OPERATOR.implementations}
EXPORTS = (
    *("export.dynamic", "export_saved.named", "export_strict.dynamic"),
    *("export_decomposed.dynamic", "export_unflattened.dynamic", "export_again.dynamic", "draft_export.named"),
)
DYNAMO = ("dynamo.automatic", "dynamo.dynamic", "dynamo.unbacked", "dynamo.unbacked+spec", "aot_eager.dynamic")
COMPILED_AUTOGRAD = "dynamo.dynamic+compiled_autograd"
BREAKS = tuple(f"dynamo.automatic+break_{kind}" for kind in KINDS)
MODULES = (
    *(f"dynamo.dynamic+reloaded_{entry}" for entry in ("module", "forward", "in_place")),
    "dynamo.dynamic+state_given",
)
KEPT = "dynamo.dynamic+kept_state"
HANDED = "dynamo.dynamic+handed"
RANDOM = "dynamo.dynamic+random_object"
PYTHON = (KEPT, HANDED, RANDOM)
SIZES = ((5, 7), (6, 3), (9, 8))


@pytest.fixture(autouse=True)
def activated() -> Iterator[None]:
    CPU.activate()
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


def program(*nodes: Node, inputs: int = 1, gradients: bool = False) -> Program:
    """Return a program of matrices [a, b] whose last value is returned."""
    given = (Input(shape=("a", "b")),) * inputs
    return Program(inputs=given, nodes=nodes, outputs=(inputs + len(nodes) - 1,), gradients=gradients)


SILU = program(Node(op="silu", args=(0,)), Node(op="neg", args=(1,)))
SUM = program(Node(op="mul", args=(0, 1)), Node(op="add", args=(2, 1)), inputs=2)
SQUARE = program(Node(op="mul", args=(0, 0)), gradients=True)


def run(way: str, made: Program) -> Outcome:
    """Call a program of other values, with sizes that change and come back, in one way."""
    cases = (ProgramCase(program=made, sizes={"a": a, "b": b}, seed=seed) for seed, (a, b) in enumerate(SIZES * 2))
    return execute(OPERATOR, WAYS[way], Workload(tuple(cases)), CPU, relations=False)


def finding(way: str, made: Program) -> Status | None:
    """Return how a program fails in one way, None where everything was compared and passed."""
    outcome = run(way, made)
    verdicts = (*outcome.verdicts, outcome.workload)
    assert any(verdict.status is Status.PASSED or verdict.failed for verdict in outcome.verdicts), verdicts[0]
    return next((verdict.status for verdict in verdicts if verdict.failed), None)


def found_by(ways: Sequence[str], made: Program) -> dict[str, Status]:
    """Return the ways that find something, with what they find."""
    told = {way: finding(way, made) for way in ways}
    return {way: status for way, status in told.items() if status is not None}


@pytest.mark.parametrize("way", [*EXPORTS, *DYNAMO, *BREAKS, *MODULES, KEPT, HANDED])
def test_without_a_fault_nothing_is_found(way: str) -> None:
    assert [finding(way, made) for made in (SILU, SUM)] == [None, None]


@pytest.mark.parametrize("way", [COMPILED_AUTOGRAD, *BREAKS, "dynamo.dynamic+state_given", KEPT, HANDED])
def test_gradients_are_right_without_a_fault(way: str) -> None:
    assert finding(way, SQUARE) is None


def test_a_wrong_decomposition_to_core_aten(monkeypatch: pytest.MonkeyPatch) -> None:
    class Wrong(decomp_utils.CustomDecompTable):
        def __init__(self) -> None:
            super().__init__()
            self.decomp_table[torch.ops.aten.silu.default] = lambda x: x * torch.sigmoid(2 * x)

    monkeypatch.setattr("torch.export.exported_program.CustomDecompTable", Wrong)
    found = found_by([*EXPORTS, "aot_decomp.dynamic"], SILU)
    assert found == {"export_decomposed.dynamic": Status.WRONG_VALUE}


def test_a_call_of_a_submodule_that_unflattening_drops(monkeypatch: pytest.MonkeyPatch) -> None:
    original: Any = torch.export.unflatten

    def dropping(program: Any) -> Any:
        module = original(program)
        calls = [node for node in module.graph.nodes if node.op == "call_module" and "steps" in str(node.target)]
        module.graph.erase_node(calls[-1])
        return module

    monkeypatch.setattr(torch.export, "unflatten", dropping)
    assert found_by(EXPORTS, SILU) == {"export_unflattened.dynamic": Status.RAISED}


def test_a_value_that_unflattening_hands_to_the_wrong_part(monkeypatch: pytest.MonkeyPatch) -> None:
    original: Any = torch.export.unflatten

    def swapping(program: Any) -> Any:
        module = original(program)
        (part,) = [node for node in module.graph.nodes if node.op == "call_module" and node.target == "part_2"]
        part.args = (next(node for node in module.graph.nodes if node.op == "placeholder"),)
        return module

    made = program(*(Node(op="sin", args=(at,)) for at in range(3)))
    assert finding("export_unflattened.dynamic", made) is None
    monkeypatch.setattr(torch.export, "unflatten", swapping)
    assert finding("export_unflattened.dynamic", made) is Status.WRONG_VALUE


def test_a_program_whose_end_is_lost_when_it_is_exported_again(monkeypatch: pytest.MonkeyPatch) -> None:
    original = torch.export.export

    def losing(module: Any, *args: Any, **options: Any) -> Any:
        if isinstance(module, torch.fx.GraphModule):
            negation = next(node for node in module.graph.nodes if node.target is torch.ops.aten.neg.default)
            negation.replace_all_uses_with(negation.args[0])
            module.recompile()
        return original(module, *args, **options)

    monkeypatch.setattr(torch.export, "export", losing)
    assert found_by(EXPORTS, SILU) == {"export_again.dynamic": Status.WRONG_VALUE}


def test_a_draft_that_makes_constants_of_sizes_and_reports_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    original = getattr(_draft_export, "_export")  # noqa: B009

    def static(*args: Any, **options: Any) -> Any:
        return original(*args, **{**options, "dynamic_shapes": None})

    monkeypatch.setattr(_draft_export, "_export", static)
    assert found_by(EXPORTS, SILU) == {"draft_export.named": Status.RAISED}


def test_an_unflattened_program_refuses_the_other_side_of_a_branch_as_the_program_does() -> None:
    made = program(Node(op="branch_on_parity", args=(0,)))
    outcomes = [run(way, made) for way in ("export.dynamic", "export_unflattened.dynamic")]
    reasons, others = ([verdict.reason for verdict in one.verdicts] for one in outcomes)
    assert reasons == others
    assert any(reason.startswith("a guard that a declared size does not meet") for reason in reasons)


def test_a_number_that_an_unflattened_program_refuses_is_a_constant() -> None:
    given = (Input(shape=("a",)), Input(kind="int", shape=("k",)))
    made = Program(inputs=given, nodes=(Node(op="times_int", args=(0, 1)),), outputs=(2,))
    cases = tuple(ProgramCase(program=made, sizes={"a": 3, "k": number}) for number in (2, 5))
    outcome = execute(OPERATOR, WAYS["export_unflattened.dynamic"], Workload(cases), CPU)
    assert [verdict.status for verdict in outcome.verdicts] == [Status.PASSED, Status.SKIPPED]
    assert outcome.verdicts[1].reason.startswith("a Python number is a constant: number_1 == 2")


def test_a_draft_that_says_that_it_is_unsound_is_no_finding() -> None:
    outcome = run("draft_export.named", program(Node(op="branch_on_parity", args=(0,))))
    assert {verdict.status for verdict in outcome.verdicts} == {Status.SKIPPED}
    assert outcome.verdicts[0].reason.startswith("a draft says that it is unsound: ")


def test_sizes_that_a_spec_declares_and_dynamo_takes_for_static(monkeypatch: pytest.MonkeyPatch) -> None:
    original = builder.lookup_spec_from_dynamo_source

    def forgetful(source: Any, spec: Any) -> Any:
        found = original(source, spec)
        return None if type(found).__name__ == "TensorSpec" else found

    monkeypatch.setattr(builder, "lookup_spec_from_dynamo_source", forgetful)
    assert found_by(DYNAMO, SILU) == {"dynamo.unbacked+spec": Status.OVER_BUDGET}


def test_gradients_that_compiled_autograd_does_not_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AutogradCompilerInstance, "accumulate", lambda self, old, new: new)
    made = program(Node(op="sin", args=(0,)), Node(op="mul", args=(1, 0)), gradients=True)
    found = found_by([*DYNAMO, COMPILED_AUTOGRAD, *BREAKS], made)
    assert found == {COMPILED_AUTOGRAD: Status.WRONG_VALUE}


REASONS = {
    "asked": "torch._dynamo.graph_break()",
    "item": "Tensor.item",
    "print": "operator `print`",
    "builtin": "operator `globals`",
    "disabled": "torch.compiler.disable",
    "branch": "jump",
    "block": "torch._dynamo.graph_break()",
}
"""What Dynamo says of each kind of break."""


@pytest.mark.parametrize("kind", others_slow(list(KINDS), ["branch"]))
def test_what_is_lost_at_breaks_of_one_kind_alone(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Changes of Python lists are not written back before breaks of the kind; the ways of other kinds find nothing."""
    compile_subgraph = output_graph.OutputGraph.compile_subgraph
    update = side_effects.SideEffects.codegen_update_mutated
    now: list[bool] = []

    def noting(self: Any, tx: Any, reason: Any, *args: Any, **options: Any) -> Any:
        now.append(REASONS[kind] in reason.reason and bool(tx.block_stack) == (kind == "block"))
        try:
            return compile_subgraph(self, tx, reason, *args, **options)
        finally:
            now.pop()

    def losing(self: Any, *args: Any, **options: Any) -> Any:
        return None if now and now[-1] else update(self, *args, **options)

    monkeypatch.setattr(output_graph.OutputGraph, "compile_subgraph", noting)
    monkeypatch.setattr(side_effects.SideEffects, "codegen_update_mutated", losing)
    assert found_by([*DYNAMO, *BREAKS, *MODULES], SUM) == {f"dynamo.automatic+break_{kind}": Status.RAISED}


def test_what_is_done_twice_at_a_break(monkeypatch: pytest.MonkeyPatch) -> None:
    update = side_effects.SideEffects.codegen_update_mutated

    def twice(self: Any, cg: Any, *args: Any, **options: Any) -> Any:
        for changed in self.store_attr_mutations, self.id_to_variable:
            for variable in list(changed.values()):
                if isinstance(getattr(variable, "items", None), list) and self.is_modified(variable):
                    variable.items.append(variable.items[-1])
        return update(self, cg, *args, **options)

    monkeypatch.setattr(side_effects.SideEffects, "codegen_update_mutated", twice)
    assert set(found_by([*DYNAMO, *BREAKS, *MODULES], SUM)) == set(BREAKS)


def test_counts_that_are_not_written_back(monkeypatch: pytest.MonkeyPatch) -> None:
    update = side_effects.SideEffects.codegen_update_mutated

    def losing(self: Any, *args: Any, **options: Any) -> Any:
        for attributes in self.store_attr_mutations.values():
            attributes.pop("calls", None)
        return update(self, *args, **options)

    monkeypatch.setattr(side_effects.SideEffects, "codegen_update_mutated", losing)
    assert found_by([*DYNAMO, *BREAKS, *MODULES, KEPT, HANDED], SUM) == {KEPT: Status.RAISED}


@pytest.mark.slow
def test_a_tensor_that_a_global_held_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first tensor that a dict, an object or a global holds is taken for a constant."""
    original: Any = torch.compile

    def remembering(function: Any, **options: Any) -> Any:
        compiled, seen = original(function, **options), dict[str, Any]()

        def call(*args: Any) -> Any:
            scope = getattr(function, "__globals__", {})
            for holder in (scope["ENTRIES"], vars(scope["HELD"])) if "HELD" in scope else ():
                holder.update({name: seen.setdefault(name, value) for name, value in holder.items() if name[0] == "x"})
            return compiled(*args)

        return call

    made = program(*(Node(op="mul", args=(at, at + 1)) for at in range(5)), Node(op="add", args=(6, 7)), inputs=6)
    monkeypatch.setattr(torch, "compile", remembering)
    assert set(found_by([*DYNAMO, *BREAKS, *MODULES, KEPT, HANDED], made)) == {KEPT}


def test_what_a_generator_gives_in_another_order(monkeypatch: pytest.MonkeyPatch) -> None:
    following: Any = LocalGeneratorObjectVariable.tp_iternext_impl
    seen: dict[int, Any] = {}

    def swapped(self: Any, tx: Any) -> Any:
        if self.get_name() != "one_by_one" or id(self) in seen:  # torch's own code has generators too
            return seen.pop(id(self), None) or following(self, tx)
        seen[id(self)] = following(self, tx)
        return following(self, tx)

    monkeypatch.setattr(LocalGeneratorObjectVariable, "tp_iternext_impl", swapped)
    made = program(Node(op="sub", args=(0, 1)), inputs=2)
    assert set(found_by([*DYNAMO, *BREAKS, *MODULES, KEPT, HANDED], made)) == {HANDED}


def test_a_random_number_that_is_drawn_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """torch 2.13.0 repeats numbers of such an object by itself: github.com/pytorch/pytorch/issues/196437."""
    original = getattr(output_graph, "_get_gen_rand_values_fn")  # noqa: B009

    def twice(calls: Any) -> Any:
        drawing = original([*calls, *calls])
        return lambda: drawing()[len(calls) :]

    monkeypatch.setattr(output_graph, "_get_gen_rand_values_fn", twice)
    assert found_by([*DYNAMO, *BREAKS, *MODULES, *PYTHON], SUM) == {RANDOM: Status.RAISED}


def wrapping_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have `torch.compile(module)` compile a copy of the module."""
    original = eval_frame.OptimizedModule.__init__

    def of_copy(self: Any, mod: Any, *args: Any, **options: Any) -> None:
        original(self, copy.deepcopy(mod), *args, **options)

    monkeypatch.setattr(eval_frame.OptimizedModule, "__init__", of_copy)


def binding_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have `torch.compile(module.forward)` compile the method of a copy."""
    original = torch.compile

    def of_copy(model: Any, **options: Any) -> Any:
        bound = inspect.ismethod(model) and model.__name__ == "forward"
        return original(model.__func__.__get__(copy.deepcopy(model.__self__)) if bound else model, **options)

    monkeypatch.setattr(torch, "compile", of_copy)


def compiling_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have `module.compile()` compile a copy."""

    def of_copy(self: Any, **options: Any) -> None:
        self._compiled_call_impl = torch.compile(copy.deepcopy(self)._call_impl, **options)

    monkeypatch.setattr(torch.nn.Module, "compile", of_copy)


def forgetting_what_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have `functional_call` take the module's own state where it is compiled."""
    original = torch.func.functional_call

    def own(module: Any, state: Any, args: Any) -> Any:
        if not torch.compiler.is_compiling():
            return original(module, state, args)
        zeros = {name: torch.zeros_like(value) for name, value in state.items()}
        return original(module, zeros, args)

    monkeypatch.setattr(torch.func, "functional_call", own)


@pytest.mark.parametrize(
    ("fault", "way"),
    list(zip((wrapping_copy, binding_copy, compiling_copy, forgetting_what_is_given), MODULES, strict=True)),
    ids=lambda one: getattr(one, "__name__", one),
)
def test_a_state_that_compiled_code_does_not_see(
    fault: Callable[[pytest.MonkeyPatch], None], way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fault(monkeypatch)
    assert set(found_by([*DYNAMO, *MODULES], SUM)) == {way}


@pytest.mark.parametrize("path", DRAWN_PATHS, ids=lambda path: path.name)
def test_a_script_takes_no_name_from_the_code_that_is_drawn(path: ExportPath) -> None:
    """Drawn code calls `parts` and `program` by name, long after the script has begun."""
    drawn = {"parts", "program", "inner", "loss", "module", "torch"}
    written = ast.parse("\n".join(path.source))
    bound = {node.id for node in ast.walk(written) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    bound |= {node.name for node in ast.walk(written) if isinstance(node, ast.FunctionDef)}
    assert bound
    assert not bound & drawn
