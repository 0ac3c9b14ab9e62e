# Every command of the project; `make help` lists them. Stamps in .venv record what is built, so nothing is done twice.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet --quiet
# One more than there are processors, for some job is always waiting; each takes about half a GB.
JOBS   ?= $(shell n=$$(getconf _NPROCESSORS_ONLN); echo $$((n < 8 ? n + 1 : 8)))
# A file at a time, for its tests share a server; in our order, which mixes waiting and computing.
PYTEST  = $(BIN)/python -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder

# What `make play` needs, what the tests need besides, and what the tests of the core need.
# Web push reaches a browser only from a public server; its package is built from source, so `make play` omits it.
PLAY_EXTRAS := terminal,render,server
DEV_EXTRAS  := $(PLAY_EXTRAS),push,bus,ai,rl,study,cluster,train,audit,dev
CORE_EXTRAS := ai,rl,train,dev
BUILD_TOOLS := scikit-build-core nanobind cmake ninja

# The core is compiled for the level of this processor, as a wheel is for each; `make "LEVELS=v2;v3" setup` builds both.
LEVELS   ?= this
SANITIZE ?= OFF
# `RelWithDebInfo` keeps symbols and line numbers, for profilers.
BUILD_TYPE ?= Release
EDITABLE  = $(PIP) install --constraint constraints.txt --no-build-isolation \
	--config-settings=build-dir=build/$(VENV) \
	--config-settings=cmake.build-type=$(BUILD_TYPE) \
	'--config-settings=cmake.define.TAIJI_LEVELS=$(LEVELS)' \
	--config-settings=cmake.define.TAIJI_SANITIZE=$(SANITIZE) --editable

CORE_FILES := $(wildcard core/*.?pp core/*/*.?pp)
CORE := CMakeLists.txt $(wildcard core/*.?pp core/bindings/* core/dispatch/*)

# The web app is built into the server's package; `make WEB= setup` omits it.
WEB_SOURCES := $(shell find web -name node_modules -prune -o -name test -prune -o -type f -print 2>/dev/null) \
	src/taiji/render/theme.json src/taiji/players/levels.json src/taiji/study/family.json $(wildcard src/taiji/analysis/puzzles/sets/*.jsonl src/taiji/analysis/explorer/books/*.book)
WEB_ICONS   := web/public/icons/icon-192.png
WEB_TYPES   := web/src/net/generated/contract.ts
WEB_NETS    := web/src/engine/nets/taiji.net
CONTRACT    := $(wildcard src/taiji/server/contract/*.py) src/taiji/analysis/data.py src/taiji/rules/program.py
WEB         := $(if $(wildcard web/package.json),src/taiji/server/static/.built)

# The tests that play more games when TAIJI_SOAK is set.
SOAK := $(wildcard tests/envs/test_batched.py tests/envs/test_batched_rules.py tests/training/test_learning.py tests/envs/test_equality.py tests/rules/test_against_oracle.py tests/rules/test_generated.py tests/kernel/test_generated.py tests/notation/test_record_stream.py)

# The tests start the program hundreds of times: let it keep its bytecode.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup dev play test test-slow check wasm format bench soak sanitize portable coverage mutants clean screenshots page-speed chaos load attacks history fuzz-api sbom conformance base-check dataset docs puzzles-check certificates web wheels release-check static hosting-check

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 18

setup: $(VENV)/.setup $(VENV)/.core $(WEB) ## build a working program at .venv/bin/taiji

dev: $(VENV)/.dev $(VENV)/.core $(WEB) ## setup, and the tools for tests and checks

# Everything but what needs the server: play on one screen and against the computer, lessons, own records.
static: setup ## write the web app as a folder of files for any web host, without a server, into build/static
	cd web && npm run --silent build -- --mode static --base ./ --outDir ../build/static
	$(BIN)/python tools/static_games.py build/static/definitions

web: $(WEB) ## build the web app

play: setup ## play in the browser
	@$(BIN)/taiji serve $(ARGS)

test: dev ## run the tests
ifneq ($(WEB),)
	npm --prefix web test
endif
	$(PYTEST) -m "not slow" $(ARGS)

test-slow: dev ## run the tests that take long: training, Ray, generated requests, contrast and axe on every screen, games offline
	$(PYTEST) -m slow $(ARGS)

check: dev ## formatting, lint, types, vocabulary and known vulnerabilities of the dependencies
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/mypy --platform win32
	$(BIN)/python tools/check_vocabulary.py
	$(BIN)/python tools/audit.py
	$(BIN)/clang-format --dry-run -Werror $(CORE_FILES)
	ls $(filter %.cpp,$(CORE)) | xargs -P $(JOBS) -n 1 $(BIN)/clang-tidy --quiet -p build/$(VENV)
ifneq ($(WEB),)
	npm --prefix web run --silent format:check
	npm --prefix web run --silent lint
	npm --prefix web run --silent check
endif

# `taiji serve` finds the copy in its package; build/site is for any other web host.
docs: $(VENV)/.docs $(VENV)/.core ## build the documentation site into build/site, which taiji serve serves under /docs
	$(BIN)/python -m tools.site build/site
	rm -rf src/taiji/server/site && cp -r build/site src/taiji/server/site

# `make hosting-check ARGS="--only proxies"`; the fresh root needs root rights and debootstrap, about five minutes.
hosting-check: dev ## run the proxy examples and the cluster in nginx and Caddy, judge the systemd units, install in a fresh Debian root
	$(BIN)/python -m tools.hosting build/hosting $(ARGS)

# `make dataset GAMES=1000 ARGS="--only tailits"`; the same command resumes.
GAMES ?= 100000

dataset: dev ## play 100,000 engine games of each TAIJI size and 20,000 of each other game into dist/dataset, as Parquet
	$(BIN)/python -m tools.dataset play --games $(GAMES) --output dist/dataset $(ARGS)

# zig is a developer's tool of 400 MB: the modules are committed, and a test fails if core/ has changed since.
wasm: ## build the page's engine from core/ into web/src/engine/built
	JOBS=$(JOBS) $(PYTHON) tools/wasm.py

sbom: dev ## write the software bills of materials of a release into dist
	$(BIN)/python tools/sbom.py dist

format: dev ## put the source files into the project's format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/clang-format -i $(CORE_FILES)
ifneq ($(WEB),)
	npm --prefix web run --silent format
endif

page-speed: dev ## measure the first page and the longest tasks in Chromium, at four times throttling
	$(BIN)/python -m benchmarks.page_speed

screenshots: dev ## draw every screen at five sizes, light and dark, into build/screenshots
	$(BIN)/python -m tests.web.screenshots build/screenshots $(ARGS)

# Without the random games against the oracle: they take minutes under coverage, and must not be needed for it.
coverage: dev ## measure the branch coverage of the rules; fail under 100 %
	$(BIN)/python -m pytest -n $(JOBS) --cov --cov-fail-under=100 tests/rules $(SOAK:%=--ignore=%) $(ARGS)

# Runs in forked processes; source files are never changed. `make mutants ARGS="notation --sample 100"`.
mutants: dev ## mutate rules, notation, clocks, decisions and the web reducer; fails under 90 % killed
	$(BIN)/python -m tools.mutants $(ARGS)

bench: setup ## measure the speed of the playouts
	$(BIN)/taiji bench $(ARGS)

soak: dev ## run the long tests: hundreds of thousands of random games
	TAIJI_SOAK=1 $(PYTEST) $(or $(ARGS),$(SOAK))
ifneq ($(WEB),)
	TAIJI_SOAK=1 npm --prefix web test -- test/rules.test.ts
endif

chaos: dev ## kill the server 200 times during play on SQLite; break three servers, PostgreSQL and NATS 100 times
	PYTHONPATH=. $(BIN)/python benchmarks/server_chaos.py $(ARGS)
	PYTHONPATH=. $(BIN)/python benchmarks/cluster_chaos.py $(ARGS)

LOAD = PYTHONPATH=. $(BIN)/python benchmarks/server_load.py

load: dev ## load the server: 1,000 games, 200 moves/s; with two busy engines; up to its limit; the same with three servers
	$(LOAD) $(ARGS)
	$(LOAD) --engines 2 $(ARGS)
	-$(LOAD) --limit $(ARGS)
	-$(LOAD) --limit --postgres $(ARGS)
	-$(LOAD) --limit --processes 3 --spread table $(ARGS)
	-$(LOAD) --limit --processes 3 --spread random $(ARGS)
	PYTHONPATH=. $(BIN)/python benchmarks/server_costs.py

attacks: dev ## attack a started server with costly imports, sockets and slow requests
	$(BIN)/python benchmarks/server_attacks.py $(ARGS)

history: dev ## write a database of 1,000,000 games, 100,000 of them rated, and measure start and pages over it
	$(BIN)/python benchmarks/server_history.py $(ARGS)

conformance: dev ## run the environments at the lowest and newest versions of their libraries, learn, and read other programs' files
	tools/conformance $(ARGS)

puzzles-check: dev ## prove every puzzle of the package again
	$(BIN)/taiji puzzle check --workers $(JOBS) $(ARGS)

certificates: dev ## write and check a proof of the value of every TAIJI board of up to 20 squares, in build/certificates
	$(BIN)/python tools/certificates.py build/certificates $(ARGS)

fuzz-api: dev ## send 10,000 generated requests to the server's API
	TAIJI_FUZZ_CASES=10000 $(BIN)/python -m pytest -p no:xdist -s tests/server/test_api_fuzz.py $(ARGS)

# Other builds of the core have their own environments, with only what its tests need.
CORE_ENV = PLAY_EXTRAS=ai DEV_EXTRAS=$(CORE_EXTRAS)

sanitize: ## run the tests of the compiled core under AddressSanitizer and UndefinedBehaviorSanitizer
	$(MAKE) VENV=.venv-sanitize LEVELS= SANITIZE=ON $(CORE_ENV) .venv-sanitize/.dev .venv-sanitize/.core
	LD_PRELOAD="$$($${CXX:-c++} -print-file-name=libasan.so) $$($${CXX:-c++} -print-file-name=libstdc++.so)" \
		ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
		.venv-sanitize/bin/python -m pytest -p no:cacheprovider $(or $(ARGS),tests/kernel tests/nets)

portable: ## build the core as in a wheel, for every processor level, and run its tests at the lowest
	$(MAKE) VENV=.venv-portable "LEVELS=v2;v3" $(CORE_ENV) .venv-portable/.dev .venv-portable/.core
	TAIJI_CPU_LEVEL=v2 .venv-portable/bin/python -m pytest -p no:cacheprovider $(or $(ARGS),tests/kernel tests/nets)

wheels: docs ## build the sdist and the manylinux wheels of a release into dist
	$(PYTHON) -m tools.release build files

release-check: docs ## build a release twice, install it in clean environments, run every command, play offline, measure
	$(PYTHON) -m tools.release $(ARGS)

base-check: dev ## build the wheel, install it without extras, and run every command there
	rm -rf build/base-check && mkdir -p build/base-check
	$(PIP) wheel --no-deps --no-build-isolation --wheel-dir build/base-check .
	$(PYTHON) -m venv build/base-check/venv
	build/base-check/venv/bin/python -m pip --disable-pip-version-check --quiet install \
		--constraint constraints.txt build/base-check/*.whl
	$(BIN)/python -m tests.cli.base_check $(CURDIR)/build/base-check/venv/bin/taiji

clean: ## remove everything that was built, including the environments
	rm -rf .venv .venv-sanitize .venv-portable .venv-wasm build dist web/node_modules web/dist web/src/net/generated web/src/engine/nets web/public/icons src/taiji/server/static src/taiji/server/site
	rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage .coverage.* htmlcov
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# --- stamps

# Shows what runs and about how long it takes; the estimates are for two quiet cores.
PROGRESS := @tools/progress

$(VENV)/.tools: constraints.txt
	@PYTHON=$(PYTHON) WEB=$(WEB) tools/check-tools
	@test -x $(BIN)/python || echo "First build: about 75 s on two cores; later ones take seconds."
	$(PROGRESS) 8 "Python environment" sh -c '{ test -x $(BIN)/python || $(PYTHON) -m venv $(VENV); } && $(PIP) install --constraint constraints.txt $(BUILD_TOOLS)'
	@touch $@

# The first install also builds the core; afterwards only .core depends on the C++ files.
$(VENV)/.setup: $(VENV)/.tools pyproject.toml
	$(PROGRESS) 50 "Python packages and compiled core" $(EDITABLE) ".[$(PLAY_EXTRAS)]"
	@touch $@ $(VENV)/.core

$(VENV)/.dev: $(VENV)/.setup tools/debian-packages
	tools/debian-packages
	@$(PIP) install --constraint constraints.txt setuptools # builds http-ece of the extra push, which has no wheel
	$(PROGRESS) 60 "Tools for tests and checks" $(EDITABLE) ".[$(DEV_EXTRAS)]"
	@touch $@ $(VENV)/.core

$(VENV)/.docs: $(VENV)/.dev pyproject.toml
	$(EDITABLE) ".[docs]"
	@touch $@ $(VENV)/.core

$(VENV)/.core: $(VENV)/.setup $(CORE)
	$(PROGRESS) 40 "Compiled core" $(EDITABLE) . --no-deps
	@touch $@

# npm writes this file itself; `install` keeps installed packages, `ci` would start over.
web/node_modules/.package-lock.json: web/package.json web/package-lock.json
	$(PROGRESS) 8 "Packages of the web app" npm --prefix web $(if $(wildcard web/node_modules),install,ci) --no-audit --no-fund --loglevel=error
	@touch $@

# The icons of the installed app, in the sizes that systems ask for.
$(WEB_ICONS): web/public/icon.svg tools/app_icons.py | $(VENV)/.core
	@$(BIN)/python tools/app_icons.py web/public/icon.svg $(@D)

# The TypeScript types of every message, from the server's models.
$(WEB_TYPES): web/node_modules/.package-lock.json $(CONTRACT) | $(VENV)/.core
	@mkdir -p $(@D)
	@$(BIN)/python -m taiji.server.contract | npm --prefix web run --silent types

# The bundled nets as the page reads them, with the compiled rules of their games.
$(WEB_NETS): $(wildcard src/taiji/nets/*.safetensors src/taiji/nets/*.py src/taiji/rules/*.py src/taiji/rules/*/*.py) | $(VENV)/.core
	@$(BIN)/python -m taiji.nets.page $(@D)

src/taiji/server/static/.built: web/node_modules/.package-lock.json $(WEB_TYPES) $(WEB_ICONS) $(WEB_NETS) $(WEB_SOURCES)
	$(PROGRESS) 8 "Web app" npm --prefix web run --silent build
	@touch $@
