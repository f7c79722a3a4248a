"""Write LLVM IR as text: one function's instructions, and what it calls."""

import contextlib
from collections.abc import Generator, Sequence

Index = int | str
"""A number, or a register that holds an i64."""
NO_VECTORS = "!0"
"""A loop's metadata: its lanes are taken one by one."""
_METADATA = (
    "!0 = distinct !{!0, !1, !2}",
    '!1 = !{!"llvm.loop.vectorize.width", i32 1}',
    '!2 = !{!"llvm.loop.unroll.disable"}',
    '!3 = !{!"branch_weights", i32 1, i32 1000000}',
)


class Writer:
    """Append instructions; registers and labels have names of their own."""

    def __init__(self) -> None:
        self.here = "entry"
        """The label of the block that is written."""
        self._lines: list[str] = []
        self._entry: list[str] = []
        self._globals: list[str] = []
        self._declared: dict[str, str] = {}
        self._count = 0

    def line(self, text: str) -> None:
        self._lines.append(f"  {text}")

    def fresh(self, stem: str = "t") -> str:
        self._count += 1
        return f"{stem}{self._count}"

    def let(self, expression: str) -> str:
        """Write an instruction that gives a value; return its register."""
        name = f"%{self.fresh()}"
        self._lines.append(f"  {name} = {expression}")
        return name

    def at_entry(self, expression: str) -> str:
        """Write an instruction that gives a value where the function begins; return its register."""
        name = f"%{self.fresh('e')}"
        self._entry.append(f"  {name} = {expression}")
        return name

    def entry(self, text: str) -> None:
        """Write an instruction where the function begins."""
        self._entry.append(f"  {text}")

    def label(self, name: str) -> None:
        """Begin a block."""
        self._lines.append(f"{name}:")
        self.here = name

    def jump(self, label: str) -> None:
        self.line(f"br label %{label}")

    def branch(self, condition: str, yes: str, no: str, *, rarely: bool = False) -> None:
        """Go to one of two blocks."""
        self.line(f"br i1 {condition}, label %{yes}, label %{no}{', !prof !3' if rarely else ''}")

    def slot(self, kind: str) -> str:
        """Return a place on the stack for one value of a type."""
        return self.at_entry(f"alloca {kind}")

    def call(self, kind: str, name: str, *arguments: str) -> str:
        """Call a function by its name; arguments have their types before them. Return the register, if there is one."""
        self._declared[name] = f"declare {kind} @{name}({', '.join(one.partition(' ')[0] for one in arguments)})"
        text = f"call {kind} @{name}({', '.join(arguments)})"
        if kind == "void":
            self.line(text)
            return ""
        return self.let(text)

    def intrinsic(self, name: str, kind: str, *arguments: str, of: str = "") -> str:
        """Call an intrinsic of LLVM whose name ends in its types."""
        suffix = of or {"float": "f32", "double": "f64"}.get(kind, kind)
        return self.call(kind, f"llvm.{name}.{suffix}", *arguments)

    def table(self, kind: str, values: Sequence[str]) -> str:
        """Keep constants; return the name of their array."""
        name = f"@c{len(self._globals)}"
        inside = ", ".join(f"{kind} {value}" for value in values)
        self._globals.append(f"{name} = internal constant [{len(values)} x {kind}] [{inside}]")
        return name

    # Indices: of numbers that are known nothing is written.

    def add(self, one: Index, other: Index) -> Index:
        if isinstance(one, int) and isinstance(other, int):
            return one + other
        if one == 0:
            return other
        return one if other == 0 else self.let(f"add nsw i64 {one}, {other}")

    def times(self, index: Index, factor: int) -> Index:
        if isinstance(index, int) or factor == 0:
            return int(index) * factor if isinstance(index, int) else 0
        return index if factor == 1 else self.let(f"mul nsw i64 {index}, {factor}")

    def quotient(self, index: Index, divisor: int) -> Index:
        if isinstance(index, int):
            return index // divisor
        return index if divisor == 1 else self.let(f"udiv i64 {index}, {divisor}")

    def remainder(self, index: Index, divisor: int) -> Index:
        if isinstance(index, int):
            return index % divisor
        return 0 if divisor == 1 else self.let(f"urem i64 {index}, {divisor}")

    @contextlib.contextmanager
    def loop(self, trips: Index, *, vectors: bool = True) -> Generator[Index]:
        """Count from 0 up to `trips`, which is at least 1."""
        if trips == 1:
            yield 0
            return
        head, latch, done = self.fresh("L"), self.fresh("L"), self.fresh("L")
        before, index, following = self.here, f"%{self.fresh('i')}", f"%{self.fresh('i')}"
        self.jump(head)
        self.label(head)
        self.line(f"{index} = phi i64 [ 0, %{before} ], [ {following}, %{latch} ]")
        yield index
        self.jump(latch)
        self.label(latch)
        self.line(f"{following} = add nuw nsw i64 {index}, 1")
        more = self.let(f"icmp ult i64 {following}, {trips}")
        self.line(f"br i1 {more}, label %{head}, label %{done}{'' if vectors else f', !llvm.loop {NO_VECTORS}'}")
        self.label(done)

    def function(self, signature: str) -> str:
        """Return what was written as a function, with what it needs beside it."""
        return "\n".join(
            [*self._globals, f"{signature} {{", "entry:", *self._entry, *self._lines, "}", *self._declared.values()]
        )

    @staticmethod
    def metadata() -> str:
        return "\n".join(_METADATA)
