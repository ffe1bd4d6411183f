# Needs Python >= 3.11 and the package index; everything else is installed into .venv.
SHELL := /bin/sh
.DEFAULT_GOAL := help
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --disable-pip-version-check -qq --require-hashes
# Several times faster than pip; where it finds no way to the index, pip does the work.
# An account whose home cannot be written installs without a cache.
UV_CACHE := $${UV_CACHE_DIR:-$${XDG_CACHE_HOME:-$$HOME/.cache}/uv}
UV := UV_NO_CACHE=$$(mkdir -p "$(UV_CACHE)" 2>/dev/null && test -w "$(UV_CACHE)" && \
		echo false || echo true) \
	UV_HTTP_TIMEOUT=20 UV_HTTP_RETRIES=1 $(if $(PIP_INDEX_URL),UV_DEFAULT_INDEX=$(PIP_INDEX_URL)) \
	$(if $(PIP_CERT),SSL_CERT_FILE=$(PIP_CERT)) VIRTUAL_ENV=.venv $(BIN)/uv pip install -q \
	--require-hashes --compile-bytecode
PYTEST_ARGS ?= -n 2 --dist loadgroup

.PHONY: help run play test check lint types schema bench bench-bots bench-ratings bench-streams \
	bench-scores ladder soak chaos env lock clean install

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 24

.venv/pyvenv.cfg:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed (make run PYTHON=/path/to/python)"; exit 1; }
	@echo "Making the virtual environment in .venv"
	@$(PYTHON) -m venv .venv || { rm -rf .venv; echo "python -m venv failed: install the venv package of your system"; exit 1; }

.venv/.installer: requirements/installer.txt | .venv/pyvenv.cfg
	@$(PIP) -r requirements/installer.txt
	@touch $@

.venv/.runtime: requirements/runtime.txt .venv/.installer
	@echo "Installing the locked dependencies"
	@$(UV) -r requirements/runtime.txt || $(PIP) -r requirements/runtime.txt
	@touch $@

.venv/.dev: requirements/dev.txt .venv/.runtime
	@echo "Installing the locked development tools"
	@$(UV) -r requirements/dev.txt || $(PIP) -r requirements/dev.txt
	@touch $@

install: .venv/.dev ## virtual environment with the development tools

run: .venv/.runtime ## start everything; PORT, HOST, DATA_DIR, DATABASE_URL, REDIS_URL change where
	@exec $(BIN)/python -m durak_api.embedded --with-parent

play: .venv/.runtime ## a game in the terminal against three bots; RULESET=transfer for another
	@$(BIN)/python manage.py play $(or $(RULESET),throw_in) --bots 3

test: .venv/.dev ## all tests against a private PostgreSQL and Valkey; PYTEST_ARGS="-k name"
	@$(BIN)/python -m pytest $(PYTEST_ARGS)

check: lint types .venv/.dev ## style, types, import rules, migration and schema drift
	@mkdir -p .cache
	@$(BIN)/lint-imports --no-cache --no-logo > .cache/imports.txt || { cat .cache/imports.txt; exit 1; }
	@$(BIN)/python -W ignore::RuntimeWarning manage.py makemigrations --check --dry-run
	@$(BIN)/python manage.py spectacular --validate --fail-on-warn --file .cache/openapi.yaml
	@diff -u docs/openapi.yaml .cache/openapi.yaml || { echo "docs/openapi.yaml is out of date: make schema"; exit 1; }

lint: .venv/.dev ## ruff, check only
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: .venv/.dev ## mypy
	@$(BIN)/mypy

schema: .venv/.dev ## write docs/openapi.yaml anew
	@$(BIN)/python manage.py spectacular --validate --fail-on-warn --file docs/openapi.yaml

bench: .venv/.dev ## throughput of HTTP, database and engine, side by side
	@$(BIN)/python -m bench

bench-bots: .venv/.dev ## games and moves of the brains in a second, beside other projects' agents
	@$(BIN)/python -m bench bots

ladder: .venv/.dev ## measure BRAINS (all) in RULESETS (all), DEALS=300 a pair; writes bots/ladder.json
	@$(BIN)/python manage.py ladder $(BRAINS) $(RULESETS:%=--ruleset %) --deals $(or $(DEALS),300)

bench-streams: .venv/.dev ## what streams cost, how soon news arrive, what breaks lose; STREAMS=5000
	@$(BIN)/python -m bench streams --idle $(or $(STREAMS),5000)

bench-scores: .venv/.dev ## boards of PLAYERS=1000000 with RESULTS=10000000; takes long, and 15 GB
	@$(BIN)/python -m bench scores --players $(or $(PLAYERS),1000000) --results $(or $(RESULTS),10000000)

bench-ratings: .venv/.dev ## which rating model finds out who plays well, and what it costs
	@$(BIN)/python -m bench.ratings

env: ## write .env for docker compose, with fresh secrets
	@test ! -e .env || { echo ".env exists"; exit 1; }
	@umask 077 && $(PYTHON) -c 'import re, secrets; text = open(".env.example").read(); \
		print(re.sub(r"(?m)^(SECRET_KEY|\w+_PASSWORD)=$$", \
		lambda m: m[0] + secrets.token_urlsafe(32), text), end="")' > .env

soak: .venv/.dev ## random games of every ruleset, GAMES=1000000 of them; goes on where it stopped
	@$(BIN)/python -m tests.soak --games $(or $(GAMES),1000000) --state .cache/soak.json

chaos: .venv/.dev ## games while KILLS=200 processes are killed and the line is bad; nothing may be lost
	@$(BIN)/python -m tests.chaos --kills $(or $(KILLS),200) --seed $(or $(SEED),1)

lock: .venv/.dev ## requirements/*.txt from pyproject.toml (UPGRADE=1 for newer releases)
	@for set in runtime dev; do \
		$(BIN)/uv pip compile pyproject.toml --quiet --universal --generate-hashes --python-version 3.11 \
			$(if $(UPGRADE),--upgrade) --custom-compile-command "make lock" \
			$$(test $$set = dev && echo --group dev -c requirements/runtime.txt) \
			--output-file requirements/$$set.txt || exit 1; done
	@echo uv | $(BIN)/uv pip compile - --quiet --universal --generate-hashes --python-version 3.11 \
		--custom-compile-command "make lock" -c requirements/dev.txt \
		--output-file requirements/installer.txt

clean: ## caches and the virtual environment; game data in DATA_DIR stays
	@rm -rf .venv .cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
