# Everything that a person types often. `make demo` and `make test` also make the environment.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# The stamp's name carries the lock file's digest: another lock file means another installation.
LOCK_DIGEST := $(shell cat requirements.lock pyproject.toml | sha256sum | cut -c1-16)
STAMP := $(VENV)/installed-$(LOCK_DIGEST)
export HF_HUB_OFFLINE ?= 1

# make demo PERSONAHUB=file.jsonl YFCC=file.tsv PROFILE=demo LIFELOOM_HOME=folder
DEMO_FLAGS := $(if $(PERSONAHUB),--personahub "$(PERSONAHUB)") $(if $(YFCC),--yfcc "$(YFCC)") $(if $(PROFILE),--profile "$(PROFILE)")

.PHONY: demo test lint format ui perf clean env lock help
.DEFAULT_GOAL := help

help:  ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 10

env: $(STAMP)  ## make the environment (done by the others when needed)

$(STAMP): requirements.lock pyproject.toml
	@echo "Making the environment in $(VENV) (several gigabytes, a few minutes the first time)"
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Lifeloom needs Python 3.11 or newer; set PYTHON=... (this is " + sys.version.split()[0] + ")")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@rm -f $(VENV)/installed-*
	@touch $@

demo: env  ## run the whole lineage, seeds to scores, and print a table
	$(BIN)/lifeloom demo $(DEMO_FLAGS)

test: env  ## run all tests
	$(BIN)/python -m pytest -n 2 --dist loadfile

lint: env  ## ruff, types, import layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: env  ## let ruff format and fix
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

ui: env  ## serve Dagster and MLflow on this machine
	$(BIN)/lifeloom ui

perf: env  ## run the programs that show speed and memory (many minutes)
	$(BIN)/python -m perf

lock: env  ## write requirements.lock from what is installed
	$(BIN)/python scripts/write_lock.py

clean:  ## remove caches and the environment; what you made under .lifeloom stays
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis build *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
