# `make run` and `make test` do all the set-up themselves; nothing but python3 and make is needed.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

# Tests run in several processes, each with the folders of one group, as many at a time as there are
# processors. Folders of no group are in `others`, so that none is forgotten. The longest begin first.
GROUPS := kernels library others desk device window
kernels := kernels
library := engine/builtins
desk := desk lsp jupyter faults
device := accel conformance spellings scripts engine/interpreter engine/jit
window := ui
folders = $(addprefix tests/,$(foreach group,$(GROUPS),$($(group))))
JOBS ?= $(shell getconf _NPROCESSORS_ONLN)
WHOLE := $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)

.PHONY: run test lint docs bench oracle parity fuzz clean setup tests-others $(GROUPS:%=tests-%)
.DEFAULT_GOAL := run

setup:
	@$(PYTHON) scripts/bootstrap.py $(VENV)

run: setup
	@$(BIN)/python scripts/first_run.py

test: setup
	@echo "Checks and tests run in up to $(JOBS) processes; each shows what it has to say when it has ended."
	@$(MAKE) --no-print-directory --keep-going --jobs=$(JOBS) $(WHOLE) $(GROUPS:%=tests-%) lint

tests-others: setup
	@$(BIN)/python -m pytest -q tests $(folders:%=--ignore=%)

$(filter-out tests-others,$(GROUPS:%=tests-%)): tests-%: setup
	@$(BIN)/python -m pytest -q $(addprefix tests/,$($*))

lint: setup
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/mypy app scripts
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/python scripts/budget.py

# The documentation as a static site in build/site; fails on a link that leads nowhere.
docs: setup
	@$(BIN)/python -c 'import material' 2>/dev/null || $(BIN)/python -m pip install --quiet -c constraints.txt -e '.[docs]'
	@$(BIN)/python scripts/docs_site.py

bench: setup
	@$(BIN)/python -m pytest -q tests/benchmarks/bench_*.py
	@$(BIN)/python -m tests.benchmarks
	@$(BIN)/python -m tests.benchmarks.programs
	@$(BIN)/python -m tests.benchmarks.host

# Needs octave-cli: compares with the answers of an installed GNU Octave.
oracle: setup
	@$(BIN)/python -m tests.oracle
	@$(BIN)/python -m tests.engine.jit.sweep

# Every builtin's form for the device on an adapter, a software one included: counters and the host's answers.
parity: setup
	@$(BIN)/python -m tests.engine.builtins.device_parity

# Damaged files before every reader, special values on every side, ways out of a restricted run,
# devices and disks that fail; five minutes of ever new programs in one engine, whose memory must not grow.
fuzz: export QT_QPA_PLATFORM ?= offscreen
fuzz: setup
	@$(BIN)/python -m tests.fuzz.readers 300
	@$(BIN)/python -m tests.fuzz.documents 180
	@$(BIN)/python -m tests.fuzz.messages 240
	@$(BIN)/python -m tests.fuzz.programs parse 180
	@$(BIN)/python -m tests.fuzz.programs run 180
	@$(BIN)/python -m tests.fuzz.calls 180
	@$(BIN)/python -m tests.fuzz.places 180
	@$(BIN)/python -m tests.fuzz.names 120
	@$(BIN)/python -m tests.fuzz.sizes stores
	@$(BIN)/python -m tests.fuzz.strange 40
	@$(BIN)/python -m tests.fuzz.arguments 180
	@$(BIN)/python -m tests.fuzz.ieee 180
	@$(BIN)/python -m tests.fuzz.numbers 180 1 octave
	@$(BIN)/python -m app sandbox-test
	@$(BIN)/python -m tests.faults.device_campaign 120
	@$(BIN)/python -m tests.faults.file_campaign 60
	@$(BIN)/python -m tests.faults.kept_campaign 60
	@$(BIN)/python -m tests.faults.stop_campaign 60
	@$(BIN)/python -m tests.faults.soak 300

clean:
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
