# Everything here sets itself up: Python 3.11+, make and git are enough.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
JOBS ?= 2

.PHONY: play warm test test-long lint types imports unit bench pages words lock clean

play: $(READY)
	$(BIN)/grognard play nemesis

test: lint types imports unit

lint: $(READY)
	$(BIN)/ruff check src tests
	$(BIN)/ruff format --check src tests

types: $(READY)
	$(BIN)/mypy

imports: $(READY)
	$(BIN)/lint-imports

warm: $(READY)  ## compile the kernels once, before several test processes want them
	$(BIN)/python -m grognard.kernel.geometry.warm

unit: warm
	$(BIN)/pytest -n $(JOBS) --dist worksteal -m "not long"

test-long: $(READY)
	GROGNARD_FUZZ_GAMES=long $(BIN)/pytest -n $(JOBS) --dist worksteal

bench: $(READY)
	$(BIN)/python -m tests.bench

pages: $(READY)  ## the lists in docs/cases-*.md, made from the games
	$(BIN)/python -m tests.nemesis.page

words: $(READY)  ## the French catalogues, brought up to date; tells what has no French yet
	$(BIN)/python -m tests.docs.catalogue

lock: $(READY)
	$(BIN)/pip-compile -q --extra dev --strip-extras --no-emit-index-url --no-emit-trusted-host --no-emit-find-links -o requirements.lock pyproject.toml

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
	touch $(READY)

clean:
	rm -rf $(VENV) build dist src/*.egg-info
