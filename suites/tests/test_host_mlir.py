"""Reading of what Triton prints: MLIR's generic form."""

import math

import pytest

from eagerdiff.harness.devices.host.mlir.attributes import Attributes, float_of, hexadecimal, integer_of
from eagerdiff.harness.devices.host.mlir.brackets import end_of, split
from eagerdiff.harness.devices.host.mlir.locations import UNKNOWN, Locations
from eagerdiff.harness.devices.host.mlir.parser import Unreadable, parse
from eagerdiff.harness.devices.host.mlir.types import Type, type_of

MODULE = """#loc = loc("a file.py":3:0)
#loc2 = loc("x"(#loc))
#loc3 = loc(callsite(#loc4 at #loc))
#loc4 = loc(unknown)
#loc5 = loc(fused<"why">[#loc2, #loc4])
"builtin.module"() ({
  "tt.func"() <{function_type = (i32) -> (), sym_name = "k", sym_visibility = "public"}> ({
  ^bb0(%n: i32 loc("n"(#loc))):
    %0:2 = "scf.while"(%n, %n) ({
    ^bb0(%a: i32 loc("a"), %b: i32 loc("b")):
      %c = "arith.cmpi"(%a, %b) <{predicate = 2 : i64}> : (i32, i32) -> i1 loc(#loc3)
      "scf.condition"(%c, %a, %b) : (i1, i32, i32) -> () loc(#loc)
    }, {
    ^bb0(%d: i32 loc("d"), %e: i32 loc("e")):
      "scf.yield"(%d, %e) : (i32, i32) -> () loc(#loc)
    }) : (i32, i32) -> (i32, i32) loc(#loc5)
    "cf.br"(%0#1)[^bb1] : (i32) -> () loc(#loc)
  ^bb1(%f: i32 loc("f")):  // pred: ^bb0
    "tt.assert"(%c) <{message = "it \\22is\\22, (so"}> : (i1) -> () loc(#loc2)
    "tt.return"() : () -> () loc(#loc)
  }) {noinline = false} : () -> () loc(#loc)
}) : () -> () loc(#loc)
"""


def test_operations_values_and_blocks_are_read() -> None:
    function = parse(MODULE).body.operations[0]
    assert function.attributes.string("sym_name") == "k"
    assert not function.attributes.flag("noinline")
    first, second = function.regions[0]
    loop, branch = first.operations
    assert [value.type for value in loop.results] == [Type("i32")] * 2
    assert [one.name for one in loop.walk()] == ["arith.cmpi", "scf.condition", "scf.yield"]
    assert loop.regions[1][0].terminator.operands == loop.regions[1][0].arguments
    assert branch.operands == [loop.results[1]]
    assert branch.successors == [second.label]
    assert second.operations[0].attributes.string("message") == 'it "is", (so'
    assert first.arguments[0].uses == [loop, loop]


def test_lines_of_a_file_are_found() -> None:
    locations = Locations(MODULE)
    assert [locations.line_of(f"#loc{name}") for name in ("", "2", "3", "5")] == ["a file.py:3"] * 4
    assert locations.line_of("#loc4") == locations.line_of("#none") == UNKNOWN


@pytest.mark.parametrize(
    "text", ["", '"builtin.module"', '"builtin.module"() ({', MODULE.replace("(%n, %n)", "(%n, %m)")]
)
def test_what_is_no_module_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable):
        parse(text)


def test_types() -> None:
    assert type_of("f32") == Type("f32")
    assert type_of("!tt.ptr<bf16, 1>") == Type("ptr", None, "bf16")
    assert type_of("tensor<4x8xi1>") == Type("i1", (4, 8))
    assert type_of("tensor<16x!tt.ptr<i64>>") == Type("ptr", (16,), "i64")
    assert type_of("tensor<2xf8E4M3FN>").dims == (2,)


def test_brackets() -> None:
    assert end_of('(a, ")", (b -> c))', 0) == 18
    assert split('a, f(b, c), "d, e", <g -> h>') == ["a", "f(b, c)", '"d, e"', "<g -> h>"]
    assert split("") == []
    with pytest.raises(ValueError, match="not closed"):
        end_of("((a)", 0)


def test_attributes() -> None:
    found = Attributes("axis = 1 : i32, sizes = array<i32: 1, 0, 2>, none = array<i32>, nofold", "callee = @a.b.c")
    assert (found.integer("axis"), found.integers("sizes"), found.integers("none")) == (1, [1, 0, 2], [])
    assert found.flag("nofold")
    assert found.symbol("callee") == "a.b.c"
    assert found.integer("missing", 7) == 7
    with pytest.raises(KeyError):
        found.integer("missing")


@pytest.mark.parametrize(
    ("literal", "element", "value"),
    [
        ("1.500000e+00", "f32", 1.5),
        ("0x7F800000", "f32", math.inf),
        ("0xFF80", "bf16", -math.inf),
        ("0x3C00", "f16", 1.0),
        ("0x7FF0000000000000", "f64", math.inf),
        ("0x7C", "f8E5M2", math.inf),
        ("0x38", "f8E4M3FN", 1.0),
        ("0x01", "f8E4M3FN", 2.0**-9),
        ("0x40", "f8E4M3FNUZ", 1.0),
        ("0xC0", "f8E5M2FNUZ", -1.0),
    ],
)
def test_floats_are_read_by_digits_and_by_bits(literal: str, element: str, value: float) -> None:
    assert float_of(literal, element) == value


@pytest.mark.parametrize(("literal", "element"), [("0x7F", "f8E4M3FN"), ("0x80", "f8E5M2FNUZ"), ("0x7E", "f8E5M2")])
def test_small_floats_that_are_no_number(literal: str, element: str) -> None:
    assert math.isnan(float_of(literal, element))


def test_constants() -> None:
    found = Attributes("a = dense<[[1, -2], [3, 4]]> : tensor<2x2xi32>, b = dense<true> : tensor<4xi1>, c = -5 : i64")
    assert found.constant("a") == ["1", "-2", "3", "4"]
    assert found.constant("b") == "true"
    assert integer_of(str(found.constant("c"))) == -5
    assert hexadecimal('"0x01000000"') == b"\x01\0\0\0"
    assert hexadecimal("1.0") is None
