"""Write docs/kits.jsonl, a line a kept script that has a kit, and its tables in docs/findings.md.

`python docs/kits.py KITS` takes in a folder of kits, `python docs/kits.py` writes the tables anew, and
`python docs/kits.py --missing` prints the scripts that have no line, or have changed since.
"""

import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, Field

from eagerdiff.harness.corpus.interpreters import State
from eagerdiff.harness.corpus.releases import order_of
from eagerdiff.harness.kit import Kit, read_kit
from eagerdiff.harness.sinks import markdown

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = ROOT / "suites" / "corpus" / "scripts"
RECORD = ROOT / "docs" / "kits.jsonl"
PAGE = ROOT / "docs" / "findings.md"
PLACE = re.compile(r"(<!-- kits: .*? -->\n).*?(<!-- end of kits -->)", re.DOTALL)
DIGITS = 16
"""Of a SHA-256, as many as are kept."""
SHORT = {State.PRESENT: "bad", State.GONE: "good", State.OTHER: "–"}


class Line(BaseModel):
    """Say what a kit says, in short."""

    script: str
    """Its place among the kept scripts."""
    digest: str
    """The first digits of its SHA-256."""
    torch: str
    here: State
    why: str = ""
    """Where it does not show its defect."""
    layer: str = ""
    where: str = ""
    """What torch's bisector says; else torch's innermost function."""
    outputs: int = 0
    """Those that were held against eager and float64."""
    releases: dict[str, State] = Field(default_factory=dict[str, State])
    turns: str = ""


def digest_of(script: Path) -> str:
    """Return what tells one state of a script from another."""
    return hashlib.sha256(script.read_bytes()).hexdigest()[:DIGITS]


def kept() -> dict[str, Path]:
    """Return the kept scripts by their places."""
    return {kept_as(path): path for path in sorted(SCRIPTS.rglob("*.py"))}


def kept_as(script: Path) -> str:
    """Return a script's place among the kept ones."""
    return str(script.relative_to(SCRIPTS).with_suffix(""))


def read() -> dict[str, Line]:
    """Return the lines on record, by their scripts' places."""
    lines = [Line.model_validate_json(text) for text in RECORD.read_text(encoding="utf-8").splitlines()]
    return {line.script: line for line in lines}


def missing(scripts: dict[str, Path], lines: dict[str, Line]) -> list[Path]:
    """Return the scripts that have no line, or another digest than theirs."""
    return [path for place, path in scripts.items() if place not in lines or lines[place].digest != digest_of(path)]


UNPROVED = "it passed, and why is not proved"


def needed_by(script: Path, torch: str) -> str:
    """Return why a script may pass under a torch: of which other it says that it is, or which instructions it needs."""
    text = script.read_text(encoding="utf-8")
    head = re.sub(r"\n#", "", text.partition("\nimport ")[0])
    if processor := re.search(r"^# Processor: (\w+)$", text, re.MULTILINE):
        return f"it needs a processor with {processor[1]}"
    if release := re.search(r"Present on (\d+\.\d+\.\d+)|torch (\d+\.\d+)", head):
        named = release[1] or release[2]
        return UNPROVED if f"{torch}.".startswith(f"{named}.") else f"it is of torch {named}"
    return UNPROVED


def line_of(place: str, script: Path, kit: Kit, known: Line | None) -> Line:
    """Return a kit's line; of releases that it was not asked for, what is on record of the same script stays."""
    digest = kit.digest[:DIGITS]
    before = known.releases if known is not None and known.digest == digest else {}
    releases = before | {_name(release): ending.state for release, ending in kit.releases.items()}
    return Line(
        script=place,
        digest=digest,
        torch=_name(kit.torch),
        here=kit.here.state,
        why="" if kit.shown else kit.here.why or needed_by(script, _name(kit.torch)),
        layer=kit.layer,
        where=kit.bisector or kit.where,
        outputs=len(kit.outputs),
        releases={release: releases[release] for release in sorted(releases, key=order_of)},
        turns=_name(kit.turns) if kit.releases or known is None else known.turns,
    )


def taken_in(folder: Path, scripts: dict[str, Path], lines: dict[str, Line]) -> dict[str, Line]:
    """Return the lines with those of a folder of kits, where these are of kept scripts as they are."""
    places = {(path.stem, digest_of(path)): place for place, path in scripts.items()}
    kits = [kit for path in sorted(folder.iterdir()) if (kit := read_kit(path)) is not None]
    known = [(place, kit) for kit in kits if (place := places.get((kit.script, kit.digest[:DIGITS]))) is not None]
    return lines | {place: line_of(place, scripts[place], kit, lines.get(place)) for place, kit in known}


def tables(lines: Sequence[Line], scripts: int) -> str:
    """Return what is told of all kits, and a row for each script that was run under several releases."""
    shown = [line for line in lines if line.here is State.PRESENT]
    layers = Counter(line.layer for line in shown)
    others = Counter(line.why for line in lines if line.here is not State.PRESENT)
    asked = sorted(
        (line for line in lines if len(line.releases) > 1),
        key=lambda line: (not line.turns.startswith("first"), line.script),
    )
    releases = sorted({release for line in asked for release in line.releases}, key=order_of)
    turned = sum(line.turns.startswith("first") for line in asked)
    text = [
        f"{len(lines)} of {scripts} kept scripts have a kit, made with torch "
        f"{', '.join(sorted({line.torch for line in lines}, key=order_of))}: [`kits.jsonl`](kits.jsonl), a line each. "
        f"{len(shown)} show their defect there; of {sum(line.outputs > 0 for line in lines)} the outputs were held "
        "against eager and float64.",
        "",
        "| layer | scripts |",
        "|---|---|",
        *(f"| {layer} | {count} |" for layer, count in layers.most_common()),
        *(f"| not shown here: {markdown.text(why)} | {count} |" for why, count in others.most_common()),
        "",
        f"Of {len(asked)} kept scripts under {len(releases)} releases {turned} turn between two of them. *Bad*: it "
        "shows its defect; a dash: it has no answer (what it uses is not there).",
        "",
        f"| script | layer | {' | '.join(releases)} | |",
        f"|---|---|{'---|' * len(releases)}---|",
    ]
    for line in asked:
        ends = [SHORT[line.releases[one]] if one in line.releases else "" for one in releases]
        turns = line.turns if line.turns.startswith("first") else ""
        text.append(f"| {' | '.join([f'`{line.script}`', line.layer, *ends, markdown.text(turns)])} |")
    return "\n".join(text) + "\n"


def _name(release: str) -> str:
    """Leave out of which build a release is."""
    return re.sub(r"\+\w+", "", release)


def main(arguments: Sequence[str]) -> None:
    """Take in a folder of kits, if one is given, and write the record and the tables."""
    scripts, lines = kept(), read() if RECORD.exists() else {}
    if arguments == ["--missing"]:
        print("\n".join(map(str, missing(scripts, lines))))
        return
    for folder in arguments:
        lines = taken_in(Path(folder), scripts, lines)
    lines = {place: lines[place] for place in scripts if place in lines}
    told = (line.model_dump(mode="json", exclude_defaults=True) for line in lines.values())
    RECORD.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in told), encoding="utf-8")
    text, page = tables(list(lines.values()), len(scripts)), PAGE.read_text(encoding="utf-8")
    PAGE.write_text(PLACE.sub(lambda found: f"{found[1]}\n{text}\n{found[2]}", page), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
