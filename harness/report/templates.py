"""Templates of pages: what each writes is escaped, and what acts is made visible."""

import functools

import jinja2

from eagerdiff.harness.sinks import html


@functools.cache
def template(name: str) -> jinja2.Template:
    """Return a template of this room, by the name of its file."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("eagerdiff.harness.report", "."),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=html.finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(name)
