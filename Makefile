# eagerdiff: `make nightly` and `make test` set up .venv by themselves.
PYTHON ?= python3
BUDGET ?= 5m
OUT ?= report
MACHINE ?= $(shell uname -n)
SHARD ?= 1/1
SECONDS ?= 10
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# Where this is set, each process that a test starts would compile all of our source anew.
export PYTHONDONTWRITEBYTECODE :=
# Python compiles what is imported when it is first imported; pip would compile all of torch.
export PIP_COMPILE := 0

.PHONY: help setup test test-all test-fleet test-torch torture nightly others engines selfcheck check lint types package docs audit format benchmark benchmark-all third-party clean

help:  ## Say what can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:[^#]*## /\t/' | expand -t 12

$(READY): pyproject.toml constraints.txt
	rm -rf *.egg-info  # an old one would hide new entry points
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	touch $(READY)

setup: $(READY)  ## Make .venv and install the pinned dependencies

test: $(READY)  ## Run the test suite but for what is marked slow
	$(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder --durations 40 -m 'not slow' $(ARGS)

test-all: $(READY)  ## Run the whole test suite, with more examples a test
	EAGERDIFF_TEST_EXAMPLES=60 $(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder $(ARGS)

test-torch:  ## Run the suite's core under another torch: make test-torch TORCH=2.15.0
	PYTHON=$(PYTHON) bash .ci/test-torch $(TORCH) $(ARGS)

torture: $(READY)  ## Let strangers' code do its worst: 2,000 faults in one campaign, kills, full disks, mutated files
	$(BIN)/python -m pytest --timeout 0 -v suites/tests/torture suites/tests/test_kills.py suites/tests/test_endings.py suites/tests/test_mutated_files.py suites/tests/test_sinks.py $(ARGS)

nightly: $(READY)  ## Search all operators for BUDGET (default 5m), write OUT (default report/)
	$(BIN)/eagerdiff nightly --budget $(BUDGET) --out $(OUT) $(ARGS)

test-fleet: $(READY)  ## Test a fleet on a real Ray cluster of three nodes of this machine, installed apart
	$$($(BIN)/python -m eagerdiff.suites.tests.fleet) -m pytest --timeout 600 suites/tests/fleet $(ARGS)

engines: $(READY)  ## Install other compilers and runtimes, each apart (ENGINE=tvm for one), for the operator engines
	$(BIN)/python -m eagerdiff.compiled.engines $(ENGINE)

others: $(READY)  ## Check functions of transformers, diffusers and others (ARGS="einops"), write docs/others.md
	$(BIN)/python -m eagerdiff.suites.others --seconds $(SECONDS) $(ARGS)
	$(BIN)/python docs/others.py

selfcheck: $(READY)  ## Search for every planted fault: how sharp is the search?
	$(BIN)/eagerdiff selfcheck $(ARGS)

check: lint types package docs  ## Lint, types, floors, the wheel, pages (two at a time: make -j2 check)

lint: $(READY)  ## Style, and which room may import which
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(READY)  ## Every type
	PYRIGHT_PYTHON_USE_BUNDLED_PYRIGHT=1 $(BIN)/pyright

package: $(READY)  ## Build the sdist and, from it, the wheel into dist/, and check both
	rm -rf dist *.egg-info  # what an old build listed would be packed again
	$(BIN)/validate-pyproject pyproject.toml
	$(BIN)/python -m build --quiet
	$(BIN)/twine check --strict dist/*
	$(BIN)/check-wheel-contents dist/*.whl

docs: $(READY)  ## Build the site in build/site; a broken link is an error
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

audit: $(READY)  ## Hold pinned packages against known vulnerabilities; write an SBOM into build/
	bash .ci/audit

format: $(READY)  ## Format and fix what can be fixed
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

benchmark: $(READY)  ## Measure the curated set at HEAD with asv, in less than 10 minutes; pages in .asv/html
	$(BIN)/asv machine --yes --machine $(MACHINE)
	$(BIN)/asv run --machine $(MACHINE) --launch-method forkserver --show-stderr --bench '^daily\.' 'HEAD^!' $(ARGS)
	$(BIN)/asv publish
	$(BIN)/python -m eagerdiff.suites.asv_pages.covered

benchmark-all: $(READY)  ## Measure every pair at HEAD, many hours, or a part (SHARD=2/4); what has a result is passed over
	$(BIN)/asv machine --yes --machine $(MACHINE)
	part=$$($(BIN)/python -m eagerdiff.suites.benchmarks.shards $(SHARD)) && \
	$(BIN)/asv run --machine $(MACHINE) --launch-method forkserver --show-stderr --skip-existing-successful $$part 'HEAD^!' $(ARGS)
	$(BIN)/asv publish

third-party: $(READY)  ## Check the kernels of published packages, a minute or less a kernel; write docs/third-party.md
	$(BIN)/python -m eagerdiff.suites.third_party $(ARGS)
	$(BIN)/python docs/third_party.py

clean:  ## Delete what was made (not the caches of your home folder)
	rm -rf $(VENV) report .asv build dist *.egg-info
