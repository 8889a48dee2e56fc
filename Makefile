# Two commands are enough: `make demo` shows what the project does, `make test` proves it.
# Both first make or refresh .venv and install what is missing; a second run skips what is done.

PY := .venv/bin/python
# bytecode is kept whatever the shell says: without it every command compiles all its libraries again
export PYTHONDONTWRITEBYTECODE :=
# some tests wait more than they work: with two more than there are cores it is done a tenth sooner than with one
WORKERS ?= $(shell expr $$(nproc) + 2)

.PHONY: help setup demo test quick check lint types package format docs results clean

help:            ## list the targets
	@grep -hE '^[a-z]+: .*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 10

setup:           ## make or refresh .venv, with every extra and the system libraries
	@tools/setup.sh

demo: setup      ## show what the project does; results go to demo/
	@.venv/bin/commonground demo

test: setup      ## run every test, the slow ones too
	@OMP_NUM_THREADS=1 $(PY) -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder

quick: setup     ## run what tests/quick.txt chooses of each part, in a minute
	@OMP_NUM_THREADS=1 $(PY) -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder -m "not slow" \
		$$(grep ^tests tests/quick.txt)

check: lint types package  ## lint, types, formatting, and the packaging check; -j2 is quicker

lint: setup
	@.venv/bin/ruff check .
	@.venv/bin/ruff format --check .
	@$(PY) tools/complexity.py

types: setup
	@$(PY) tools/links.py && .venv/bin/mypy -p commonground

package: setup
	@$(PY) tools/check_package.py
	@$(PY) -m tools.check_extras --quick

format: setup    ## format the code and mend what the linter can mend
	@.venv/bin/ruff check --fix-only -q . ; .venv/bin/ruff format .

docs:            ## write the documentation as a site into site/
	@EXTRAS=all,dev,docs tools/setup.sh
	@$(PY) tools/links.py && NO_MKDOCS_2_WARNING=1 .venv/bin/mkdocs build --strict --quiet

results: setup   ## measure the fast tables of docs/results again (about five minutes)
	@$(PY) tools/results.py

clean:           ## remove what was built; .venv stays
	rm -rf build dist demo .mypy_links .mypy_cache .ruff_cache .pytest_cache .hypothesis *.egg-info
