# Every command of the project. `make help` lists them. Nothing is done twice: the stamps in .venv say what is there.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet --quiet
JOBS   ?= 3

# What `make play` needs, and what the tests need besides.
PLAY_EXTRAS := terminal,render,ai,server
DEV_EXTRAS  := $(PLAY_EXTRAS),rl,study,cluster,train,dev
BUILD_TOOLS := scikit-build-core nanobind cmake ninja

# `make NATIVE=OFF setup` builds the portable core that a wheel carries.
NATIVE   ?= ON
SANITIZE ?= OFF
EDITABLE  = $(PIP) install --constraint constraints.txt --no-build-isolation \
	--config-settings=build-dir=build/$(VENV) \
	--config-settings=cmake.define.TAIJI_NATIVE=$(NATIVE) \
	--config-settings=cmake.define.TAIJI_SANITIZE=$(SANITIZE) --editable

CORE := CMakeLists.txt $(wildcard core/*)

# The web app is built into the server's package; `make WEB= setup` leaves it out.
WEB_SOURCES := $(shell find web -name node_modules -prune -o -name test -prune -o -type f -print 2>/dev/null) \
	src/taiji/render/theme.json
WEB         := $(if $(wildcard web/package.json),src/taiji/server/static/.built)

# The tests that play more games when TAIJI_SOAK is set.
SOAK := $(wildcard tests/envs/test_batched.py tests/training/test_learning.py tests/envs/test_equality.py tests/rules/test_against_oracle.py tests/notation/test_record_stream.py)

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup dev play test check format bench soak sanitize coverage clean screenshots chaos load fuzz-api

help: ## list these commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 18

setup: $(VENV)/.setup $(VENV)/.core $(WEB) ## make a working program at .venv/bin/taiji

dev: $(VENV)/.dev $(VENV)/.core $(WEB) ## setup, and what the tests and checks need

play: setup ## play in the browser
	@$(BIN)/taiji serve $(ARGS)

test: dev ## run the tests
ifneq ($(WEB),)
	npm --prefix web test
endif
	$(BIN)/python -m pytest -n $(JOBS) $(ARGS)

check: dev ## formatting, lint and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run -Werror core/*
	ls core/*.cpp | xargs -P $(JOBS) -n 1 $(BIN)/clang-tidy --quiet -p build/$(VENV)
ifneq ($(WEB),)
	npm --prefix web run --silent format:check
	npm --prefix web run --silent lint
	npm --prefix web run --silent check
endif

format: dev ## put the source files into the project's format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/clang-format -i core/*
ifneq ($(WEB),)
	npm --prefix web run --silent format
endif

screenshots: dev ## a picture of every screen, narrow and wide, light and dark, into build/screenshots
	$(BIN)/python -m tests.web.screenshots build/screenshots $(ARGS)

# The random games against the oracle are left out: under coverage they take minutes, and they must not be needed.
coverage: dev ## branch coverage of the rules; fails under 100 %
	$(BIN)/python -m pytest -n $(JOBS) --cov --cov-fail-under=100 tests/rules $(SOAK:%=--ignore=%) $(ARGS)

bench: setup ## measure the speed of the playouts
	$(BIN)/taiji bench $(ARGS)

soak: dev ## the long tests: random games by the hundred thousand
	TAIJI_SOAK=1 $(BIN)/python -m pytest -n $(JOBS) $(or $(ARGS),$(SOAK))

chaos: dev ## kill the server 200 times on each database while moves are made
	PYTHONPATH=. $(BIN)/python benchmarks/server_chaos.py $(ARGS)
	PYTHONPATH=. $(BIN)/python benchmarks/server_chaos.py --postgres $(ARGS)

load: dev ## 1,000 games, 2,000 players, 1,000 watchers, 200 moves a second; then with two busy engines
	$(BIN)/python benchmarks/server_load.py $(ARGS)
	$(BIN)/python benchmarks/server_load.py --engines 2 $(ARGS)

fuzz-api: dev ## 5,000 cases against the server's interface
	TAIJI_FUZZ_CASES=5000 $(BIN)/python -m pytest -p no:xdist -s tests/server/test_api_fuzz.py $(ARGS)

# A second environment, so that the sanitizers never slow down the first.
sanitize: ## run the tests of the compiled core under AddressSanitizer and UndefinedBehaviorSanitizer
	$(MAKE) VENV=.venv-sanitize SANITIZE=ON .venv-sanitize/.dev .venv-sanitize/.core
	LD_PRELOAD="$$($${CXX:-c++} -print-file-name=libasan.so) $$($${CXX:-c++} -print-file-name=libstdc++.so)" \
		ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
		.venv-sanitize/bin/python -m pytest -p no:cacheprovider $(or $(ARGS),tests/kernel tests/nets)

clean: ## remove everything that was built, the environments too
	rm -rf .venv .venv-sanitize build dist web/node_modules web/dist src/taiji/server/static
	rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage .coverage.* htmlcov
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# --- stamps -----------------------------------------------------------------------------------------------------

$(VENV)/.tools: constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) install --constraint constraints.txt $(BUILD_TOOLS)
	@touch $@

# The first install builds the core as well; afterwards .core alone follows the C++ files.
$(VENV)/.setup: $(VENV)/.tools pyproject.toml
	$(EDITABLE) ".[$(PLAY_EXTRAS)]"
	@touch $@ $(VENV)/.core

$(VENV)/.dev: $(VENV)/.setup tools/debian-packages
	tools/debian-packages
	$(EDITABLE) ".[$(DEV_EXTRAS)]"
	@touch $@ $(VENV)/.core

$(VENV)/.core: $(VENV)/.setup $(CORE)
	$(EDITABLE) . --no-deps
	@touch $@

# npm leaves this file itself; `install` keeps what is there, where `ci` would begin anew.
web/node_modules/.package-lock.json: web/package.json web/package-lock.json
	cd web && npm $(if $(wildcard web/node_modules),install,ci) --no-audit --no-fund --loglevel=error
	@touch $@

src/taiji/server/static/.built: web/node_modules/.package-lock.json $(WEB_SOURCES)
	cd web && npm run --silent build
	@touch $@
