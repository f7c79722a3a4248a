"""Draw the floors and rooms of docs/architecture.md from what is imported: `python docs/rooms.py` writes both places.

The order of the rooms is that of `[tool.importlinter]`; an arrow that follows from two others is left out of the
picture, and stands in the table.
"""

import ast
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import chain
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parents[1]
HARNESS = ROOT / "harness"
PICTURE = ROOT / "docs" / "images" / "rooms.svg"
PAGE = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- written by docs/rooms.py -->\n", "<!-- end -->\n"
FLOORS = "Floors"
ROOMS = "Rooms"
ROW, NAMES, TEXT, WIDTH = 26, 250, 375, 1080
"""Pixels: height of a row, where names and descriptions begin, width of the picture."""

Layers = Sequence[Sequence[str]]
Imports = Mapping[str, set[str]]


def layers(contract: str) -> Layers:
    """Return the layers of the import-linter contract whose name begins so, the highest first."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    found = next(one for one in settings["tool"]["importlinter"]["contracts"] if one["name"].startswith(contract))
    return [[name.strip() for name in layer.split("|")] for layer in found["layers"]]


def imports(graph: grimp.ImportGraph, container: str, names: Iterable[str]) -> Imports:
    """Return which of the packages in a container each of them imports, typing imports included."""
    found: dict[str, set[str]] = {name: set() for name in names}
    for module in graph.modules:
        for imported in graph.find_modules_directly_imported_by(module):
            one, other = (_within(container, path) for path in (module, imported))
            if one != other and one in found and other in found:
                found[one].add(other)
    return found


def _within(container: str, module: str) -> str:
    """Return which part of a container a module belongs to; empty where it is not in it."""
    return module.removeprefix(f"{container}.").split(".")[0] if module.startswith(f"{container}.") else ""


def without_detours(found: Imports) -> Imports:
    """Leave out what is reached through another import anyway."""

    def beyond(name: str) -> set[str]:
        return {far for near in found[name] for far in found[near] | beyond(near)}

    return {name: near - beyond(name) for name, near in found.items()}


def about(path: Path) -> str:
    """Return the first sentence of a package's or module's docstring."""
    source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    docstring = ast.get_docstring(ast.parse(source.read_text())) or ""
    return docstring.split("\n\n")[0].replace("\n", " ").rstrip(".")


def picture(floors: Layers, rooms: Layers, arrows: Imports) -> str:
    """Draw every floor and room in a row of its own, with an arrow to each that it imports."""
    bands: list[str] = []
    names: list[str] = []
    places: dict[str, float] = {}
    top = 8.0
    placed = [([name], ROOT) for name in chain.from_iterable(floors)] + [(list(layer), HARNESS) for layer in rooms]
    for layer, folder in placed:
        if layer == rooms[0]:
            top += 12  # between the floors and the rooms of the lowest
        bands.append(_band(top, len(layer), "#f6f6f3" if folder == HARNESS else "#eef3fb"))
        for name in layer:
            places[name] = top + ROW / 2
            names.append(_text(name, places[name], about(folder / name)))
            top += ROW
        top += 4
    lines = [_arrow(places[one], places[other]) for one in places for other in sorted(arrows[one])]
    return "\n".join([_HEAD.format(width=WIDTH, height=int(top + 6)), *bands, *lines, *names, "</svg>", ""])


_HEAD = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"
 font-family="sans-serif" font-size="13">
<title>Floors and rooms, and which imports which</title>
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
<path d="M0 0L8 4L0 8z" fill="#4a6fa5"/></marker></defs>
<rect width="{width}" height="{height}" fill="#fff"/>"""


def _arrow(start: float, end: float) -> str:
    """Bend to the left, the further the longer."""
    reach = NAMES - 16 - min(NAMES - 30, 18 + abs(end - start) * 0.42)
    left, low, high = NAMES - 14, start + 4, end - 4
    curve = f"M{left} {low}C{reach:.0f} {low} {reach:.0f} {high} {left} {high}"
    return f'<path d="{curve}" fill="none" stroke="#4a6fa5" stroke-opacity=".65" marker-end="url(#tip)"/>'


def _band(top: float, rows: int, fill: str) -> str:
    left, width, height = NAMES - 12, WIDTH - NAMES, ROW * rows
    return f'<rect x="{left}" y="{top}" width="{width}" height="{height}" rx="5" fill="{fill}"/>'


def _text(name: str, y: float, what: str) -> str:
    return (
        f'<text x="{NAMES}" y="{y + 4:.1f}" font-weight="bold" fill="#222">{escape(name)}</text>'
        f'<text x="{TEXT}" y="{y + 4:.1f}" fill="#555">{escape(what)}</text>'
    )


def table(rooms: Layers, found: Imports) -> str:
    """List every room with what it imports, the highest first."""
    rows = ["| room | imports |", "|---|---|"]
    order = [name for layer in rooms for name in layer]
    for name in order:
        below = ", ".join(f"`{other}`" for other in order if other in found[name])
        rows.append(f"| `{name}` | {below or 'nothing of ours'} |")
    return "\n".join([*rows, ""])


def drawn() -> tuple[str, str]:
    """Return the picture and the page as they should be."""
    graph = grimp.build_graph("eagerdiff", cache_dir=None)
    floors, rooms = layers(FLOORS), layers(ROOMS)
    ground = imports(graph, "eagerdiff", chain.from_iterable(floors))
    inside = imports(graph, "eagerdiff.harness", chain.from_iterable(rooms))
    before, _, rest = PAGE.read_text().partition(BEGIN)
    page = f"{before}{BEGIN}{table(rooms, inside)}{END}{rest.partition(END)[2]}"
    return picture(floors, rooms, {**without_detours(ground), **without_detours(inside)}), page


if __name__ == "__main__":
    new_picture, new_page = drawn()
    PICTURE.write_text(new_picture)
    PAGE.write_text(new_page)
