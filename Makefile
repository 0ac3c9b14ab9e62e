# Every command of the project; `make help` lists them. Stamps in .venv record what is built, so nothing is done twice.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet --quiet
JOBS   ?= 3

# What `make play` needs, what the tests need besides, and what the tests of the core need.
PLAY_EXTRAS := terminal,render,server
DEV_EXTRAS  := $(PLAY_EXTRAS),ai,rl,study,cluster,train,audit,dev
CORE_EXTRAS := ai,rl,train,dev
BUILD_TOOLS := scikit-build-core nanobind cmake ninja

# `make NATIVE=OFF setup` builds the portable core of a wheel.
NATIVE   ?= ON
SANITIZE ?= OFF
# `RelWithDebInfo` keeps symbols and line numbers, for profilers.
BUILD_TYPE ?= Release
EDITABLE  = $(PIP) install --constraint constraints.txt --no-build-isolation \
	--config-settings=build-dir=build/$(VENV) \
	--config-settings=cmake.build-type=$(BUILD_TYPE) \
	--config-settings=cmake.define.TAIJI_NATIVE=$(NATIVE) \
	--config-settings=cmake.define.TAIJI_SANITIZE=$(SANITIZE) --editable

CORE := CMakeLists.txt $(wildcard core/*)

# The web app is built into the server's package; `make WEB= setup` omits it.
WEB_SOURCES := $(shell find web -name node_modules -prune -o -name test -prune -o -type f -print 2>/dev/null) \
	src/taiji/render/theme.json
WEB_TYPES   := web/src/net/generated/contract.ts
CONTRACT    := $(wildcard src/taiji/server/contract/*.py) src/taiji/analysis/data.py src/taiji/rules/program.py
WEB         := $(if $(wildcard web/package.json),src/taiji/server/static/.built)

# The tests that play more games when TAIJI_SOAK is set.
SOAK := $(wildcard tests/envs/test_batched.py tests/envs/test_batched_rules.py tests/training/test_learning.py tests/envs/test_equality.py tests/rules/test_against_oracle.py tests/rules/test_generated.py tests/kernel/test_generated.py tests/notation/test_record_stream.py)

# The tests start the program hundreds of times: let it keep its bytecode.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup dev play test check format bench soak sanitize portable coverage mutants clean screenshots chaos load fuzz-api sbom conformance base-check

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 18

setup: $(VENV)/.setup $(VENV)/.core $(WEB) ## build a working program at .venv/bin/taiji

dev: $(VENV)/.dev $(VENV)/.core $(WEB) ## setup, and the tools for tests and checks

play: setup ## play in the browser
	@$(BIN)/taiji serve $(ARGS)

test: dev ## run the tests
ifneq ($(WEB),)
	npm --prefix web test
endif
	$(BIN)/python -m pytest -n $(JOBS) $(ARGS)

check: dev ## formatting, lint, types, vocabulary and known vulnerabilities of the dependencies
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python tools/check_vocabulary.py
	$(BIN)/python tools/audit.py
	$(BIN)/clang-format --dry-run -Werror core/*
	ls core/*.cpp | xargs -P $(JOBS) -n 1 $(BIN)/clang-tidy --quiet -p build/$(VENV)
ifneq ($(WEB),)
	npm --prefix web run --silent format:check
	npm --prefix web run --silent lint
	npm --prefix web run --silent check
endif

sbom: dev ## write the software bills of materials of a release into dist
	$(BIN)/python tools/sbom.py dist

format: dev ## put the source files into the project's format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/clang-format -i core/*
ifneq ($(WEB),)
	npm --prefix web run --silent format
endif

screenshots: dev ## draw every screen, narrow and wide, light and dark, into build/screenshots
	$(BIN)/python -m tests.web.screenshots build/screenshots $(ARGS)

# Without the random games against the oracle: they take minutes under coverage, and must not be needed for it.
coverage: dev ## measure the branch coverage of the rules; fail under 100 %
	$(BIN)/python -m pytest -n $(JOBS) --cov --cov-fail-under=100 tests/rules $(SOAK:%=--ignore=%) $(ARGS)

# Runs in forked processes; source files are never changed. `make mutants ARGS="notation --per-file 20"`.
mutants: dev ## mutate rules, notation, clocks, decisions and the web reducer; fails under 90 % killed
	$(BIN)/python -m tools.mutants $(ARGS)

bench: setup ## measure the speed of the playouts
	$(BIN)/taiji bench $(ARGS)

soak: dev ## run the long tests: hundreds of thousands of random games
	TAIJI_SOAK=1 $(BIN)/python -m pytest -n $(JOBS) $(or $(ARGS),$(SOAK))
ifneq ($(WEB),)
	TAIJI_SOAK=1 npm --prefix web test -- test/rules.test.ts
endif

chaos: dev ## kill the server 200 times on each database during play
	PYTHONPATH=. $(BIN)/python benchmarks/server_chaos.py $(ARGS)
	PYTHONPATH=. $(BIN)/python benchmarks/server_chaos.py --postgres $(ARGS)

load: dev ## load the server: 1,000 games, 2,000 players, 1,000 watchers, 200 moves/s; then with two busy engines
	$(BIN)/python benchmarks/server_load.py $(ARGS)
	$(BIN)/python benchmarks/server_load.py --engines 2 $(ARGS)

conformance: dev ## run the environments at the lowest and newest versions of their libraries, learn, and read other programs' files
	tools/conformance $(ARGS)

fuzz-api: dev ## send 10,000 generated requests to the server's API
	TAIJI_FUZZ_CASES=10000 $(BIN)/python -m pytest -p no:xdist -s tests/server/test_api_fuzz.py $(ARGS)

# Other builds of the core have their own environments, with only what its tests need.
CORE_ENV = PLAY_EXTRAS=ai DEV_EXTRAS=$(CORE_EXTRAS)

sanitize: ## run the tests of the compiled core under AddressSanitizer and UndefinedBehaviorSanitizer
	$(MAKE) VENV=.venv-sanitize SANITIZE=ON $(CORE_ENV) .venv-sanitize/.dev .venv-sanitize/.core
	LD_PRELOAD="$$($${CXX:-c++} -print-file-name=libasan.so) $$($${CXX:-c++} -print-file-name=libstdc++.so)" \
		ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
		.venv-sanitize/bin/python -m pytest -p no:cacheprovider $(or $(ARGS),tests/kernel tests/nets)

portable: ## build the core as in a wheel, for any x86-64 or ARM processor, and run its tests
	$(MAKE) VENV=.venv-portable NATIVE=OFF $(CORE_ENV) .venv-portable/.dev .venv-portable/.core
	.venv-portable/bin/python -m pytest -p no:cacheprovider $(or $(ARGS),tests/kernel tests/nets)

base-check: dev ## build the wheel, install it without extras, and run every command there
	rm -rf build/base-check && mkdir -p build/base-check
	$(PIP) wheel --no-deps --no-build-isolation --wheel-dir build/base-check .
	$(PYTHON) -m venv build/base-check/venv
	build/base-check/venv/bin/python -m pip --disable-pip-version-check --quiet install \
		--constraint constraints.txt build/base-check/*.whl
	$(BIN)/python -m tests.cli.base_check $(CURDIR)/build/base-check/venv/bin/taiji

clean: ## remove everything that was built, including the environments
	rm -rf .venv .venv-sanitize .venv-portable build dist web/node_modules web/dist web/src/net/generated src/taiji/server/static
	rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage .coverage.* htmlcov
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# --- stamps

$(VENV)/.tools: constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) install --constraint constraints.txt $(BUILD_TOOLS)
	@touch $@

# The first install also builds the core; afterwards only .core depends on the C++ files.
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

# npm writes this file itself; `install` keeps installed packages, `ci` would start over.
web/node_modules/.package-lock.json: web/package.json web/package-lock.json
	cd web && npm $(if $(wildcard web/node_modules),install,ci) --no-audit --no-fund --loglevel=error
	@touch $@

# The TypeScript types of every message, from the server's models.
$(WEB_TYPES): web/node_modules/.package-lock.json $(CONTRACT) | $(VENV)/.core
	mkdir -p $(@D)
	$(BIN)/python -m taiji.server.contract | (cd web && npm run --silent types)

src/taiji/server/static/.built: web/node_modules/.package-lock.json $(WEB_TYPES) $(WEB_SOURCES)
	cd web && npm run --silent build
	@touch $@
