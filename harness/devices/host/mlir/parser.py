"""Read MLIR's generic form, which a module is printed in where it does not verify.

MLIR has an option for that form, but Triton binds none: `generic_text` gives a module a data layout that is none.
"""

import re
from typing import Any

from eagerdiff.harness.devices.host.mlir.attributes import Attributes
from eagerdiff.harness.devices.host.mlir.brackets import end_of, split
from eagerdiff.harness.devices.host.mlir.operation import Block, Operation, Value
from eagerdiff.harness.devices.host.mlir.types import type_of
from eagerdiff.harness.internals import triton_stages

_RESULTS = re.compile(r"\s*((?:%[\w.$\-]+(?::\d+)?(?:, )?)+) = ")
_NAME = re.compile(r'\s*"([\w.]+)"\(([^)]*)\)(?:\[([^\]]*)\])?')
_LABEL = re.compile(r"\s*\^(\w+)(\(|:)")
_COMMENT = re.compile(r" +//[^\n]*")
_LOCATION = re.compile(r"\s*loc\(")
_END = re.compile(r"\s*\}")


class Unreadable(ValueError):
    """The text is not MLIR's generic form."""


def generic_text(module: Any) -> str:
    """Print a module in the generic form; it does not verify any more."""
    builder = triton_stages.ir.builder(module.context)
    module.set_attr("llvm.data_layout", builder.get_string_attr("not a layout"))
    text: str = module.str()
    return text


def parse(text: str) -> Operation:
    """Return the module of a text in the generic form; raise `Unreadable` where it is none."""
    try:
        parser = _Parser(text)
        return parser.operation(None)
    except (ValueError, KeyError, IndexError) as error:
        raise Unreadable(f"{type(error).__name__}: {error}") from error


class _Parser:
    """Walk over the text once; values are known before they are used, blocks by label."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = text.index('"builtin.module"')
        self._values: dict[str, Value] = {}

    def operation(self, block: Block | None) -> Operation:
        names = self._result_names()
        head = _NAME.match(self._text, self._at)
        if head is None:
            raise ValueError(f"no operation: {self._text[self._at : self._at + 80]!r}")
        self._at = head.end()
        name, operands, successors = head.groups()
        found = Operation(name, block=block)
        found.successors = [one.strip().removeprefix("^") for one in split(successors or "")]
        properties = self._bracketed(" <{", "}>")
        found.operands = [self._values[one if "#" in one else f"{one}#0"] for one in split(operands)]
        found.regions = self._regions(found)
        found.attributes = Attributes(properties, self._bracketed(" {", "}"))
        found.results = self._results(found, names)
        for value in found.operands:
            value.uses.append(found)
        return found

    def _result_names(self) -> list[str]:
        match = _RESULTS.match(self._text, self._at)
        if match is None:
            return []
        self._at = match.end()
        names = list[str]()
        for one in match[1].split(", "):
            name, _, count = one.partition(":")
            names += [f"{name}#{index}" for index in range(int(count or 1))]
        return names

    def _bracketed(self, opening: str, closing: str) -> str:
        """Take what stands between brackets, if they come next."""
        if not self._text.startswith(opening, self._at):
            return ""
        start = self._at + len(opening)
        self._at = end_of(self._text, self._at + 1)
        return self._text[start : self._at - len(closing)]

    def _regions(self, parent: Operation) -> list[list[Block]]:
        regions = list[list[Block]]()
        if not self._text.startswith(" ({", self._at):
            return regions
        self._at += len(" ({")
        while True:
            regions.append(self._region(parent))
            if not self._text.startswith(", {", self._at):
                break
            self._at += len(", {")
        if self._text[self._at] != ")":
            raise ValueError(f"a region does not end: {self._text[self._at : self._at + 80]!r}")
        self._at += 1
        return regions

    def _region(self, parent: Operation) -> list[Block]:
        blocks = list[Block]()
        while True:
            if end := _END.match(self._text, self._at):
                self._at = end.end()
                return blocks
            if label := _LABEL.match(self._text, self._at):
                blocks.append(self._block(parent, label))
                continue
            if not blocks:
                blocks.append(Block("", parent=parent))
            blocks[-1].operations.append(self.operation(blocks[-1]))

    def _block(self, parent: Operation, label: re.Match[str]) -> Block:
        block = Block(label[1], parent=parent)
        self._at = label.end()
        if label[2] == "(":
            end = end_of(self._text, self._at - 1)
            for index, part in enumerate(split(self._text[self._at : end - 1])):
                name, _, rest = part.partition(": ")
                value = Value(type_of(re.sub(r" loc\(.*\)$", "", rest)), None, block, index)
                self._values[f"{name}#0"] = value
                block.arguments.append(value)
            self._at = end + 1  # past the colon
        if comment := _COMMENT.match(self._text, self._at):
            self._at = comment.end()
        return block

    def _results(self, operation: Operation, names: list[str]) -> list[Value]:
        """Take the type, and where it comes from."""
        if not self._text.startswith(" : (", self._at):
            raise ValueError(f"no type: {self._text[self._at : self._at + 80]!r}")
        self._at = end_of(self._text, self._at + len(" : ")) + len(" -> ")
        if self._text[self._at] == "(":
            end = end_of(self._text, self._at)
            kinds = split(self._text[self._at + 1 : end - 1])
        else:
            end = self._at
            while self._text[end] not in " \n":
                end = end_of(self._text, end) if self._text[end] in "<(" else end + 1
            kinds = [self._text[self._at : end]]
        self._at = end
        if location := _LOCATION.match(self._text, self._at):
            self._at = end_of(self._text, location.end() - 1)
            operation.location = self._text[location.end() : self._at - 1]
        found = list[Value]()
        for index, (name, kind) in enumerate(zip(names, kinds, strict=True)):
            value = Value(type_of(kind), operation, operation.block, index)
            self._values[name] = value
            found.append(value)
        return found
