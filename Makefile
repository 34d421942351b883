# Everything works with uv where it is present, and with python3 and pip where it isn't.

PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.ready
UV := $(shell command -v uv 2>/dev/null)
FIFTY := examples/fifty

.PHONY: run test test-inside test-outside format lint types cases bench soak clean

$(STAMP): pyproject.toml uv.lock
ifeq ($(UV),)
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable . --group dev
	@$(BIN)/python -m compileall -q -j 0 .venv/lib || true
else
	uv sync --quiet --locked --compile-bytecode
endif
	@touch $(STAMP)

run: $(STAMP)  ## audit the fifty sample invoices and show what waits
	@$(BIN)/remembrancer audit $(FIFTY); code=$$?; test $$code -eq 0 -o $$code -eq 3

test: $(STAMP)  ## all tests that CI runs, in two processes
	@$(MAKE) --no-print-directory --output-sync -j 2 test-inside test-outside

test-inside: $(STAMP)  ## what runs in this process, through the public face
	$(BIN)/python -m pytest -q tests/unit tests/behaviour

test-outside: $(STAMP)  ## processes, servers, browsers, kills
	$(BIN)/python -m pytest -q tests/system tests/soak

format: $(STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint: $(STAMP)  ## style, import floors, dependencies
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/deptry .

types: $(STAMP)
	$(BIN)/mypy

cases: $(STAMP)  ## the cases from the field, each with pass or fail
	$(BIN)/python -m pytest -q tests/behaviour tests/system -p tests.scoreboard

bench: $(STAMP)
	$(BIN)/python -m benchmarks.audit

soak: $(STAMP)  ## long reliability runs; SOAK_GRAPH_KILLS=200 and the like make them shorter (tests/soak/test_soak.py)
	$(BIN)/python -m pytest -q -s -m soak tests

clean:
	rm -rf .venv .remembrancer .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
