"""The settings that Inductor has, and its packages made ahead of time."""

from typing import Any

from eagerdiff.harness.internals.hook import Hook

HOOKS = {
    "list": Hook("torch", "torch._inductor:list_options", "says which settings to draw from", since="2.0"),
    "package": Hook(
        "torch",
        "torch._inductor:aoti_compile_and_package",
        "packages an exported program",
        since="2.6",
        parameters=("package_path", "inductor_configs"),
    ),
    "load": Hook("torch", "torch._inductor:aoti_load_package", "loads a package", since="2.6"),
}


def list_options() -> set[str]:
    """Return the names of the settings of this release."""
    return set(HOOKS["list"].reach()())


def compile_and_package(program: Any, path: str, settings: dict[str, Any]) -> None:
    """Compile an exported program with AOTInductor into a package."""
    HOOKS["package"].reach()(program, package_path=path, inductor_configs=settings)


def load_package(path: str) -> Any:
    """Return a package's program, to be called."""
    return HOOKS["load"].reach()(path)
