"""Triton's assertions that no integer wraps around: which of them are about addresses.

A number may wrap around and do no harm: hashes count on it, and so may a lane that is not chosen afterwards. What is
only added, multiplied and spread on its way to a pointer may not.
"""

from collections.abc import Iterator

from eagerdiff.harness.devices.host.mlir.operation import Operation, Value

MESSAGE = "overflow detected for operation"
"""What such an assertion says."""
_WIDENED = ("arith.addi", "arith.subi", "arith.muli")
_SPREAD = ("arith.extsi", "arith.extui", "tt.splat", "tt.broadcast", "tt.expand_dims", "tt.reshape", "tt.trans")


def concerns_an_address(assertion: Operation) -> bool:
    """Whether what may wrap around becomes an offset by sums and products alone."""
    return any(_becomes_an_offset(value) for value in _guarded(assertion))


def _guarded(assertion: Operation) -> Iterator[Value]:
    """Return what is computed in few bits where the assertion has it computed in many: after it, at the same place."""
    block = assertion.block
    assert block is not None
    after = block.operations[block.operations.index(assertion) + 1 :]
    for one in after:
        if one.name in _WIDENED and one.location == assertion.location and one.results[0].type.element != "i64":
            yield one.results[0]


def _becomes_an_offset(value: Value) -> bool:
    met, left = {id(value)}, [value]
    while left:
        one = left.pop()
        for use in one.uses:
            if use.name == "tt.addptr" and one is use.operands[1]:
                return True
            for found in _carried(use, one):
                if id(found) not in met:
                    met.add(id(found))
                    left.append(found)
    return False


def _carried(use: Operation, value: Value) -> Iterator[Value]:
    """Return what has the value in it, where an operation uses it."""
    if use.name in (*_WIDENED, *_SPREAD):
        yield from use.results
        return
    for index, operand in enumerate(use.operands):
        if operand is value and use.name == "scf.for" and index >= 3:  # behind the bounds and the step
            yield use.body.arguments[index - 2]
            yield use.results[index - 3]
        elif operand is value and use.name == "scf.yield" and use.block is not None and use.block.parent is not None:
            loop = use.block.parent
            yield loop.results[index]
            if loop.name == "scf.for":
                yield loop.body.arguments[index + 1]
