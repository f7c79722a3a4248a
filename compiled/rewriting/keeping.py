"""A function whose arguments come by Python's own ways: kept in its state between calls, handed on, or random."""

from collections.abc import Mapping
from dataclasses import dataclass

from eagerdiff.compiled.rewriting.body import Body, indented

__eagerdiff_glue__ = True
"""What this module raises itself is a harness error, not a finding about the compiler (docs/judge.md)."""


@dataclass(frozen=True)
class Holder:
    """Describe where Python keeps a value between calls; `{name}` is the argument's."""

    read: str
    write: str


HOLDERS: Mapping[str, Holder] = {
    "attribute": Holder("HELD.{name}", "HELD.{name} = {name}"),
    "entry": Holder("ENTRIES[{name!r}]", "ENTRIES[{name!r}] = {name}"),
    "global": Holder("global_{name}", 'globals()["global_{name}"] = {name}'),
    "item": Holder("ITEMS[-1]", "ITEMS[-1] = {name}"),
    "module": Holder("MODULE.{name}", "MODULE.{name} = {name}"),
    "cell": Holder("cells_{name}", "cells_{name} = {name}"),
    "class": Holder("Held.{name}", "Held.{name} = {name}"),
}
"""An object's attribute, an entry of a dict, a global, an item of a list, an attribute of a module of torch, a variable
of a function around it, an attribute of a class."""


def kept(body: Body) -> dict[str, str]:
    """Return the arguments that Python keeps, each with its holder: all but the first tensor, the only one too.

    Which holder comes first hangs on the code; a list has one argument.
    """
    others = [name for name in body.parameters if name != body.tensor]
    first = sum(map(len, body.statements)) % len(HOLDERS)
    names = [*HOLDERS][first:] + [*HOLDERS][:first]
    found: dict[str, str] = {}
    for at, name in enumerate(others):
        found[name] = names[at % len(names)]
        if at >= len(names) and found[name] == "item":
            found[name] = "entry"
    return found


def of_state(body: Body) -> str:
    """Return source of `build`, which takes the arguments of `torch.compile` and returns a function of the arguments.

    Before each call the state becomes what is given. The code counts in an attribute, a dict, a list, a global and a
    variable around it, from the same numbers on in each call, for Dynamo compiles each value of a count; counts that
    are not right after a call raise AssertionError.
    """
    held = kept(body)
    cells = [f"cells_{name}" for name, holder in held.items() if holder == "cell"]
    reads = [f"{name} = {HOLDERS[holder].read.format(name=name)}" for name, holder in held.items()]
    given = ", ".join(name for name in body.parameters if name not in held)
    return _STATE.format(
        every=", ".join(body.parameters),
        given=given,
        cells="".join(f"    {name} = None\n" for name in cells),
        written=", ".join(["calls", *cells]),
        writes=indented([HOLDERS[holder].write.format(name=name) for name, holder in held.items()], 8),
        body=indented([*reads, *body.statements], 8),
    )


def handed(body: Body) -> str:
    """Return source of `build`, as `of_state` does: arguments come in a record and in a dict, and by a generator."""
    given = body.parameters
    packed = ", ".join(f"{name!r}: {name}" for name in given[1::2])
    return _HANDED.format(
        every=", ".join(given),
        fields=indented([f"{name}: object" for name in given[::2]] or ["nothing: object = None"]),
        record=", ".join(given[::2]),
        packed=packed,
        values=", ".join([*(f"record.{name}" for name in given[::2]), *(f"packed[{name!r}]" for name in given[1::2])]),
        order=", ".join([*given[::2], *given[1::2]]),
        body=indented(body.statements),
    )


def with_random(body: Body) -> str:
    """Return source of `build`, as `of_state` does: the code draws a number from an object that lives between calls.

    A number other than Python's raises AssertionError.
    """
    return _RANDOM.format(every=", ".join(body.parameters), body=indented(body.statements))


_STATE = """
class Held:
    pass


HELD, ENTRIES, ITEMS, MODULE = Held(), {{}}, [0, None], torch.nn.Module()


def build(settings):
    calls = 0
{cells}
    def call({given}):
        global CALLS
        nonlocal calls
        HELD.calls += 1
        ENTRIES["calls"] += 1
        ITEMS[0] += 1
        CALLS += 1
        calls += 1
{body}

    compiled = torch.compile(call, **settings)

    def counted({every}):
        global CALLS
        nonlocal {written}
        HELD.calls, ENTRIES["calls"], ITEMS[0], CALLS, calls = range(5)
{writes}
        result = compiled({given})
        found = [HELD.calls, ENTRIES["calls"], ITEMS[0], CALLS, calls]
        assert found == [1, 2, 3, 4, 5], f"counts of calls are {{found}} where each grows by 1"
        return result

    return counted
"""
_HANDED = """
import dataclasses


@dataclasses.dataclass
class Record:
{fields}


def one_by_one(values):
    for value in values:
        yield value


def call(record, packed):
    [{order}] = one_by_one([{values}])
{body}


def build(settings):
    compiled = torch.compile(call, **settings)
    return lambda {every}: compiled(Record({record}), {{{packed}}})
"""
_RANDOM = """
import random

GENERATOR = random.Random()


def drawn({every}):
{body}


def call({every}):
    number = GENERATOR.randint(1, 1000)
    return drawn({every}), torch.zeros(1) + number


def build(settings):
    compiled = torch.compile(call, **settings)
    made = 0

    def seeded({every}):
        nonlocal made
        made += 1
        GENERATOR.seed(made)
        result, found = compiled({every})
        wanted = random.Random(made).randint(1, 1000)
        assert int(found) == wanted, f"a random number is {{int(found)}} where Python's is {{wanted}}"
        return result

    return seeded
"""
