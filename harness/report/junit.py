"""JUnit XML: a test suite an operator, a test case a row."""

from collections.abc import Iterator, Sequence
from xml.etree import ElementTree

from eagerdiff.harness.results.results import Results, Row
from eagerdiff.harness.sinks import xml
from eagerdiff.harness.triage.finding import Finding


def junit(results: Results) -> str:
    """Return the campaign as JUnit XML.

    What fails anew is a failure, also where the entry that tells of it is another row's; what the corpus knows is told
    in `system-out`.
    """
    root = ElementTree.Element("testsuites", name="eagerdiff", time=f"{results.elapsed:.3f}")
    for operator in dict.fromkeys(row.operator for row in results.rows):
        rows = [row for row in results.rows if row.operator == operator]
        suite = _add(root, "testsuite", name=operator, tests=str(len(rows)))
        failures = sum(_add_case(suite, row, results) for row in rows)
        suite.set("failures", str(failures))
        suite.set("errors", str(sum(1 for case in suite if case.find("error") is not None)))
        suite.set("skipped", str(sum(1 for case in suite if case.find("skipped") is not None)))
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _add_case(suite: ElementTree.Element, row: Row, results: Results) -> bool:
    """Add a row; return whether it failed."""
    name = f"{row.implementation}[{row.device}]"
    case = _add(suite, "testcase", classname=row.operator, name=name, time=f"{row.seconds:.3f}")
    key = (row.operator, row.implementation, row.device)
    findings = [item for item in results.findings if (item.operator, item.implementation, item.device) == key]
    told = list(_failures(row, findings))
    if told:
        status = next((item.verdict.status.value for item in findings if item.new), "")
        _add(case, "failure", "\n".join(text for _, text in told), message=told[0][0], type=status or "same cause")
    elif row.harness_errors:
        reasons = "\n".join(f"{reason} ({count} times)" for reason, count in row.harness_errors.items())
        _add(case, "error", reasons, message=next(iter(row.harness_errors)), type="HARNESS_ERROR")
    elif not row.cases:
        reasons = "; ".join(row.skip_reasons) or row.problem or "the budget ended before its turn"
        _add(case, "skipped", message=reasons)
    known = [f"{'flaky: ' * item.flaky}{item.verdict.describe()}" for item in findings if not item.new]
    known += [str(cause) for cause in row.same_cause if not cause.new]
    if known:
        _add(case, "system-out", "known:\n" + "\n".join(known))
    return bool(told)


def _failures(row: Row, findings: Sequence[Finding]) -> Iterator[tuple[str, str]]:
    """Return, for all that fails anew, what it is in one line and at length."""
    for item in findings:
        if item.new:
            said = item.verdict.describe()
            yield said, f"{item.defect.value}: {said}\n  {item.script or item.script_note}"
    for cause in row.same_cause:
        if cause.new:
            yield str(cause), str(cause)


def _add(parent: ElementTree.Element, tag: str, text: str | None = None, **attributes: str) -> ElementTree.Element:
    """Add an element whose attributes and text are whatever others wrote."""
    made = ElementTree.SubElement(parent, tag, {name: xml.text(value) for name, value in attributes.items()})
    made.text = None if text is None else xml.text(text)
    return made
