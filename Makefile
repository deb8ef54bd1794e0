# Two commands do everything: `make play` and `make test`. Both set up the environment when it is missing or old.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# What the bot needs; that and what playing in the browser needs; that and what development needs.
RUN := $(VENV)/.installed
PLAY := $(VENV)/.installed-play
DEV := $(VENV)/.installed-dev

COMPILE := $(BIN)/uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes \
    --no-emit-index-url --no-emit-find-links --no-annotate --no-header --quiet

# `make play -- --until-end` and `make play ARGS="kregen --bots"` mean the same.
ifeq (play,$(firstword $(MAKECMDGOALS)))
EXTRA := $(wordlist 2,$(words $(MAKECMDGOALS)),$(MAKECMDGOALS))
$(eval $(EXTRA):;@:)
endif

.PHONY: play test check format bench lock clean

$(BIN)/pip:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)

$(RUN): requirements.lock | $(BIN)/pip
	$(BIN)/pip install --quiet --disable-pip-version-check -r $<
	touch $@

$(PLAY): requirements-play.lock | $(BIN)/pip
	$(BIN)/pip install --quiet --disable-pip-version-check -r $<
	touch $@

$(DEV): requirements-dev.lock | $(BIN)/pip
	$(BIN)/pip install --quiet --disable-pip-version-check -r $<
	touch $@

play: $(PLAY)
	$(BIN)/python -m bot play $(ARGS) $(EXTRA)

# Compiled modules are kept: a run starts some hundred processes.
test: $(DEV)
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n 2 --dist worksteal $(ARGS)

check: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(DEV)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The resolver is measured against other packages, which want an environment of their own.
bench: $(DEV)
	test -d .venv-bench || $(PYTHON) -m venv .venv-bench
	.venv-bench/bin/pip install --quiet --disable-pip-version-check -r tests/bench/requirements.txt
	.venv-bench/bin/python -m tests.bench.bench_resolver
	$(BIN)/python -m tests.bench.bench_table
	$(BIN)/python -m tests.bench.bench_orders
	$(BIN)/python -m tests.bench.bench_lines
	$(BIN)/python -m tests.bench.bench_scale
	$(BIN)/python -m tests.bench.bench_rows
	$(BIN)/python -m tests.bench.bench_loop
	$(BIN)/python -m tests.bench.bench_deadline --games 20
	$(BIN)/python -m tests.bench.bench_answers
	$(BIN)/python -m tests.bench.bench_king_of_kings
	$(BIN)/python -m tests.bench.bench_maps
	$(BIN)/python -m tests.bench.bench_memory

# The widest first: the others take its versions.
lock: $(DEV)
	$(BIN)/pip install --quiet --disable-pip-version-check uv
	$(COMPILE) --extra play --group dev -o requirements-dev.lock
	$(COMPILE) --extra play -c requirements-dev.lock -o requirements-play.lock
	$(COMPILE) -c requirements-dev.lock -o requirements.lock

clean:
	rm -rf $(VENV) .venv-bench .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
