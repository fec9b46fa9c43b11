# `make demo` and `make test` each work alone on a machine with Python 3.11, make and a package registry.

PYTHON ?= python3.11
VENV ?= .venv
BIN = $(VENV)/bin
PIP = $(BIN)/python -m pip --quiet --disable-pip-version-check

.PHONY: demo serve test quick nightly fixtures check bench soak fuzz gate clauses corpus mutations constraints wheel compiled test-compiled clean

demo: $(VENV)/.ready
	@PATH="$(abspath $(BIN)):$$PATH" sh fixtures/demo.sh

# A tournament to look at in a browser: `make serve PORT=8080`.
PORT ?= 8000

serve: $(VENV)/.ready-serve
	@$(BIN)/shinpan serve --demo --port $(PORT)

# Tests start many interpreters: keep what these compile.
export PYTHONDONTWRITEBYTECODE =

# Everything that guards a change, on two processes or as many as `make test JOBS=4` says.
JOBS ?= 2

test: $(VENV)/.ready-dev
	$(BIN)/python -m pytest -n $(JOBS)

# The loop while you work; of one game by GAME=blackpoker, of one folder of tests by AREA=recorder.
GAME ?=
AREA ?=

quick: $(VENV)/.ready-dev
	$(BIN)/python -m pytest -n $(JOBS) --quick $(strip $(if $(GAME),--game $(GAME)) $(if $(AREA),tests/$(AREA)))

# The rest: every seed, both databases, what takes long; then the mutations. Run it before an issue ends.
nightly: $(VENV)/.ready-dev
	$(BIN)/python -m pytest -n $(JOBS) --nightly --durations 20
	JOBS=$(JOBS) $(BIN)/python -m tools.mutations

# Whatever is made by a command, made again; read the difference before it is kept.
fixtures: $(VENV)/.ready-dev
	$(BIN)/python -m tools.clauses
	$(BIN)/python -m tools.architecture
	$(BIN)/python -m tools.privacy
	$(BIN)/python -m fixtures.make
	$(BIN)/python -m tools.frozen
	$(BIN)/python -m tests.frozen.frozen
	$(BIN)/python -m pytest --update

check: $(VENV)/.ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/codespell
	$(BIN)/python -m tools.prose

bench: $(VENV)/.ready-dev
	$(BIN)/python -m benchmarks

soak: $(VENV)/.ready-dev
	$(BIN)/python -m tests.soak

# Files, stores and arguments made wrong at random; fewer: `make fuzz INPUTS=1000`.
INPUTS ?= 40000

fuzz: $(VENV)/.ready-dev
	$(BIN)/python -m tests.fuzz --inputs $(INPUTS)

# The numbers may be smaller: `make corpus BLACKPOKER=200 GRIMOIRE=100 DEA=100 SKILLBOOK=100`. One that was interrupted goes on.
BLACKPOKER ?= 20000
GRIMOIRE ?= 10000
DEA ?= 10000
SKILLBOOK ?= 10000

corpus: $(VENV)/.ready
	$(BIN)/python -m fixtures.corpora blackpoker=$(BLACKPOKER) grimoire=$(GRIMOIRE) dea=$(DEA) skillbook=$(SKILLBOOK)

# One line made wrong at a time, and what finds it. Fewer by a word of the file or by number: `make mutations ONLY=carry_out`.
mutations: $(VENV)/.ready-dev
	JOBS=$(JOBS) $(BIN)/python -m tools.mutations $(ONLY)

gate: $(VENV)/.ready-dev
	$(BIN)/python -m tools.gate

# The names of clauses with their sentences, from each rulebook.
clauses: $(VENV)/.ready-dev
	$(BIN)/python -m tools.clauses

# What CI installs from: the versions of the environment that the suite has just passed in.
constraints: $(VENV)/.ready-dev
	(sed -n 1p constraints.txt; $(PIP) freeze --exclude-editable) > constraints.new
	mv constraints.new constraints.txt

# The wheel, built, installed into a bare environment and tried outside this folder.
wheel: $(VENV)/bin/python
	$(BIN)/python -m tools.wheel

# The law's own files compiled, in a copy and as a wheel, in build/compiled; both lanes must say the same.
compiled: $(VENV)/.ready-dev
	$(BIN)/python -m tools.compiled

# What is tried on the compiled lane: whatever decides, judges and records.
COMPILED = tests/test_compiled.py tests/table tests/parts tests/rules tests/rejudging tests/recorder tests/laws/test_decide.py tests/laws/test_replay.py tests/laws/test_as_played.py

test-compiled: compiled
	cd build/compiled/tree && SHINPAN_LANE=compiled $(abspath $(BIN))/python -m pytest -n $(JOBS) $(COMPILED)

clean:
	rm -rf $(VENV) .demo .mypy_cache .pytest_cache .ruff_cache .hypothesis

# What is installed is stamped, so the second time costs nothing.
$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.ready: pyproject.toml | $(VENV)/bin/python
	$(PIP) install --editable .
	@touch $@

$(VENV)/.ready-serve: pyproject.toml | $(VENV)/bin/python
	$(PIP) install --editable '.[serve]'
	@touch $@ $(VENV)/.ready

$(VENV)/.ready-dev: pyproject.toml | $(VENV)/bin/python
	$(PIP) install --editable '.[dev]'
	@touch $@ $(VENV)/.ready-serve $(VENV)/.ready
