"""What `make docs` adds to MkDocs: a page of the API for each part of a floor, and links out of the site."""

import ast
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[1]
REPOSITORY = "https://github.com/eagerdiff/eagerdiff/blob/main/"
FLOORS = ("reference", "compiled", "strategies")
FACE = """# The face

What a third party imports: `from eagerdiff import Operator`. Names load on first use, and cost neither torch nor
Hypothesis until then."""
OUTSIDE = re.compile(r"\]\((?:\.\./)+([^)]*)\)")
"""A link that leads out of docs/, to a file that the repository has and the site has not."""


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Name the pages of the API in the navigation."""
    floors: list[Any] = [{floor: [{part: uri(floor, part)} for part in parts(floor)]} for floor in FLOORS]
    config.nav = [*(config.nav or []), {"API": [{"The face": "api/face.md"}, *floors]}]
    return config


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Write the pages of the API."""
    files.append(File.generated(config, "api/face.md", content=face()))
    for floor in FLOORS:
        for part, modules in parts(floor).items():
            text = "\n\n".join([f"# {floor}.{part}", *(f"::: {module}" for module in modules), ""])
            files.append(File.generated(config, uri(floor, part), content=text))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Lead links to files outside of docs/ to the repository; those to other pages stay."""

    def out(found: re.Match[str]) -> str:
        path = (Path(config.docs_dir) / page.file.src_uri).parent.joinpath(found[0][2:-1].partition("#")[0]).resolve()
        inside = path.is_relative_to(config.docs_dir)
        return found[0] if inside else f"]({REPOSITORY}{found[1]})"

    return OUTSIDE.sub(out, markdown)


def face() -> str:
    """Return the page of what a third party imports: each name of the face, described where it is defined."""
    homes = {name: f"harness.{home}" for name, home in _table(ROOT / "harness" / "__init__.py", "_HOMES").items()}
    homes |= _table(ROOT / "eagerdiff" / "__init__.py", "_UPPER")
    described = [
        f"::: eagerdiff.{_home(name, home)}\n    options: {{show_root_full_path: false, heading: {name}}}"
        for name, home in sorted(homes.items(), key=lambda item: item[0].lower())
    ]
    return "\n\n".join([FACE, *described, ""])


def _table(file: Path, name: str) -> dict[str, str]:
    """Return what a module assigns to a name: where each name of the face is at home."""
    module = ast.parse(file.read_text())
    return next(ast.literal_eval(node.value) for node in module.body if _assigns(node, name))


def _home(name: str, home: str) -> str:
    """Return where a name of the face is defined: its module and, after a colon, what it is called there."""
    module, _, called = home.partition(":")
    return f"{module}.{called or name}"


def _assigns(node: ast.stmt, name: str) -> bool:
    return isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == [name]


def parts(floor: str) -> dict[str, list[str]]:
    """Return the modules of each package or module that stands right under a floor, by its name."""
    found: dict[str, list[str]] = {}
    for path in sorted((ROOT / floor).rglob("*.py")):
        names = path.relative_to(ROOT / floor).with_suffix("").parts
        names = names[:-1] if names[-1] == "__init__" else names
        if names and not any(name.startswith("_") for name in names):
            found.setdefault(names[0], []).append(".".join(("eagerdiff", floor, *names)))
    return found


def uri(floor: str, part: str) -> str:
    """Return where the page of a part stands."""
    return f"api/{floor}/{part}.md"
