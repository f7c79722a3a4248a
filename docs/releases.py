"""Write the table over releases in docs/findings.md: `python docs/releases.py KITS`."""

import re
import sys
from collections.abc import Sequence
from pathlib import Path

from eagerdiff.harness.corpus.releases import order_of
from eagerdiff.harness.kit import Kit, read_kit
from eagerdiff.harness.sinks import markdown

PAGE = Path(__file__).with_name("findings.md")
PLACE = re.compile(r"(<!-- releases: .*? -->\n).*?(<!-- end of releases -->)", re.DOTALL)
SHORT = {"present": "bad", "gone": "good", "other": "–"}


def table(kits: Sequence[Kit]) -> str:
    """Return a row for each script that was run under several releases, those that turn first."""
    kits = sorted(
        (kit for kit in kits if kit.releases), key=lambda kit: (not kit.turns.startswith("first"), kit.script)
    )
    releases = sorted({release for kit in kits for release in kit.releases}, key=order_of)
    names = [release.partition("+")[0] for release in releases]
    turned = sum(kit.turns.startswith("first") for kit in kits)
    lines = [
        f"Of {len(kits)} kept scripts under {len(releases)} releases {turned} turn between two of them. *Bad*: it "
        "shows its defect; a dash: it has no answer (what it uses is not there).",
        "",
        f"| script | layer | {' | '.join(names)} | |",
        f"|---|---|{'---|' * len(names)}---|",
    ]
    for kit in kits:
        ends = [SHORT[kit.releases[one].state.value] if one in kit.releases else "" for one in releases]
        turns = re.sub(r"\+\w+", "", kit.turns) if kit.turns.startswith("first") else ""
        cells = [f"`{kit.script}`", kit.layer, *ends, markdown.text(turns)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main(folder: Path) -> None:
    """Put the table of a folder of kits in its place."""
    kits = [kit for path in sorted(folder.iterdir()) if (kit := read_kit(path)) is not None]
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(PLACE.sub(lambda found: f"{found[1]}\n{table(kits)}\n{found[2]}", text), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
