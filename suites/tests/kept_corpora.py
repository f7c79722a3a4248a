"""The shipped corpora, read once a process: they are of megabytes, and many files look at them."""

import functools

from eagerdiff.harness.catalog.catalog import load
from eagerdiff.harness.corpus import replaying
from eagerdiff.harness.corpus.evals import Corpus
from eagerdiff.harness.triage.known import Known


@functools.cache
def kept_corpora() -> tuple[Corpus, ...]:
    """Return every operator's corpus, its entries' implementations named; not to be changed."""
    return tuple(replaying.corpora(load()))


def kept_corpus(name: str) -> Corpus:
    """Return the corpus of an operator."""
    return next(found for found in kept_corpora() if found.name == name)


@functools.cache
def known_failures() -> Known:
    """Return what the corpora hold."""
    return replaying.known(kept_corpora())
