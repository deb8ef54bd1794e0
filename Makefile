# Two commands do everything: `make play` and `make test`. Both set up the environment when it is missing or old.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

# `make play -- --until-end` and `make play ARGS="kregen --bots"` mean the same.
ifeq (play,$(firstword $(MAKECMDGOALS)))
EXTRA := $(wordlist 2,$(words $(MAKECMDGOALS)),$(MAKECMDGOALS))
$(eval $(EXTRA):;@:)
endif

.PHONY: play test check format bench lock clean

$(STAMP): requirements.lock
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.lock
	touch $(STAMP)

play: $(STAMP)
	$(BIN)/python -m bot play $(ARGS) $(EXTRA)

test: $(STAMP)
	$(BIN)/python -m pytest -n 2 --dist worksteal $(ARGS)

check: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(STAMP)
	$(BIN)/python -m tests.bench

lock: $(STAMP)
	$(BIN)/pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --all-extras --group dev --universal --python-version 3.11 \
	    --generate-hashes --no-emit-index-url --no-annotate --no-header -o requirements.lock

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
