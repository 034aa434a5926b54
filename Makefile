# What a person or CI runs; `make` alone lists it. Each Python has an environment of its own: .venv for python3, .venv-3.13 for another.

PYTHON ?= python3
SUBMISSION ?= solution
RESULTS ?= results.json

SHELL := /bin/sh
# Images for CI often forbid bytecode. Then every process compiles the grader anew: half as much work again.
export PYTHONDONTWRITEBYTECODE :=
VENV := $(if $(filter python3,$(PYTHON)),.venv,.venv-$(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null))
RUN := $(VENV)/bin/python
PIP := $(RUN) -m pip --disable-pip-version-check --quiet --quiet
HASHED := --require-hashes --requirement

# An environment whose interpreter was removed or upgraded is made again.
ifeq ($(shell $(RUN) -c 'import pip' 2>/dev/null && echo sound),)
.PHONY: $(VENV)/locked
endif

.PHONY: help
help: ## list these targets
	@echo 'make TARGET [PYTHON=python3.13]'
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 14

.PHONY: grade
grade: env ## grade SUBMISSION=solution, print the report, write RESULTS=results.json
	@$(RUN) -m autograder grade "$(SUBMISSION)" --results "$(RESULTS)"

.PHONY: test
test: env ## run every test: the grader's own, and the suites against solution/; TESTS= adds options to the grader's own
	@$(GRADERS_TESTS) $(TESTS)
	@$(SUITES)

# The grader's own tests run two at a time, a file in one process, so that what a file prepares is prepared once; the
# longest files start first (conftest.py). The suites run in one process: they take seconds, a test may wait for another
# one, and their scores are counted there.
GRADERS_TESTS = $(RUN) -m pytest -n 2 --dist loadfile --no-loadscope-reorder autograder/tests
SUITES = $(RUN) -m pytest tests_public tests_hidden

.PHONY: quick
quick: env ## run what needs no real environment, browser, cluster, whole bank, every attack, or seconds of waiting: under a minute
	@$(GRADERS_TESTS) -m 'not slow' $(TESTS)
	@$(SUITES)

.PHONY: parity
parity: ## compare the homework with torch.autograd, in an environment with PyTorch of its own
	@test -x .venv-parity/bin/python || $(PYTHON) -m venv .venv-parity
	@.venv-parity/bin/python -m pip --disable-pip-version-check --quiet install 'torch==2.13.0' 'numpy>=2,<3' 'pytest>=9.2,<10'
	@cd solution && ../.venv-parity/bin/python -B -m pytest -q -c /dev/null --rootdir .. --noconftest -p conftest \
	  -p no:cacheprovider ../tests_public/test_torch_parity.py ../autograder/tests/test_printed_numbers_torch.py

.PHONY: otter
otter: ## in an environment of its own: otter-grader grades known engines by its bundle, and a notebook runs the handout's cell
	@test -x .venv-otter/bin/python || $(PYTHON) -m venv .venv-otter
	@.venv-otter/bin/python -m pip --disable-pip-version-check --quiet --quiet install $(HASHED) requirements/tools.txt
	@.venv-otter/bin/python -m pytest autograder/tests/otter

.PHONY: similar
similar: ## look for near copies among known engines, in an environment with copydetect of its own
	@test -x .venv-similar/bin/python || $(PYTHON) -m venv .venv-similar
	@.venv-similar/bin/python -m pip --disable-pip-version-check --quiet --quiet install $(HASHED) requirements/dev.txt
	@.venv-similar/bin/python -m pip --disable-pip-version-check --quiet --quiet install 'copydetect>=0.5,<1'
	@.venv-similar/bin/python -m pytest autograder/tests/regrade/test_similar.py

.PHONY: lint
lint: env ## check style, types, the oldest Python and that starter/ is up to date
	@$(RUN) -m ruff check
	@$(RUN) -m ruff format --check
	@$(RUN) -m mypy
	@$(VENV)/bin/vermin --quiet --no-tips --target=3.10- --violations --exclude-regex '/tests/' autograder solution
	@for root in $(COURSES); do $(RUN) -m autograder starter --check --root $$root || exit; done

.PHONY: starter
starter: env ## write starter/ from solution/, here and in the examples
	@for root in $(COURSES); do $(RUN) -m autograder starter --root $$root || exit; done

COURSES := . docs/example-assignment docs/example-rationals

.PHONY: manifest
manifest: env ## accept the suites as they are now: which tests they hold, and what each is worth
	@$(RUN) -m autograder manifest

.PHONY: verify
verify: env ## prove the suites: the solution earns everything, the starter nothing
	@$(RUN) -m autograder verify --handout

.PHONY: isolation
isolation: env ## try what a submission could try on this machine, and print what stopped it
	@$(RUN) -m autograder isolation

.PHONY: bundle
bundle: env ## build dist/autograder.zip for Gradescope and dist/handout.zip for students, once they are proved
	@$(RUN) -m autograder bundle

.PHONY: bench
bench: env ## measure against other graders, write docs/benchmarks.md; QUICK=1 in two minutes, without the slow ones
	@$(RUN) benchmarks/comparison $(if $(QUICK),--quick) $(BENCH)

.PHONY: env
env: $(VENV)/installed ## make or refresh the environment
	@:

$(VENV)/installed: $(VENV)/locked pyproject.toml autograder/__init__.py
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/locked: requirements/dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || \
	  { echo 'make: this needs Python 3.10 or newer, and "$(PYTHON)" is not. Try: make $(MAKECMDGOALS) PYTHON=python3.11' >&2; exit 1; }
	@test -w . || \
	  { echo "make: the environment goes into $(CURDIR)/$(VENV), and $$(id -un) may not write there. Copy the folder, or change its owner." >&2; exit 1; }
	@$(RUN) -c 'import pip' 2>/dev/null || { echo 'Making $(VENV) (once, about a minute)' >&2; $(PYTHON) -m venv --clear $(VENV); } || \
	  { echo 'make: "$(PYTHON) -m venv" failed. On Debian and Ubuntu: apt-get install python3-venv; then try again.' >&2; exit 1; }
	@$(PIP) install $(HASHED) requirements/dev.txt
	@touch $@

.PHONY: lock
lock: ## resolve the dependencies again, for every Python from 3.10 on
	@$(PYTHON) -m venv .venv-lock
	@.venv-lock/bin/python -m pip --disable-pip-version-check --quiet install 'uv==0.13.9'
	@$(call resolve,$(IMAGE_LOCK)) --extra layers $(foreach package,jinja2 markupsafe pyyaml,--no-emit-package $(package))
	@$(call resolve,requirements/dev.txt) --constraint $(IMAGE_LOCK) --extra layers --extra cluster --extra dev
	@$(call resolve,requirements/tools.txt) --constraint requirements/dev.txt --extra layers --extra otter --extra mutation

# What an image installs travels with the grader; nothing there writes pages or reads exports. tools.txt is what runs in an
# environment of its own, for it brings a hundred packages. Each lock constrains the next: one version of a package in all.
IMAGE_LOCK := autograder/bundle/image/requirements.txt
resolve = .venv-lock/bin/uv --quiet pip compile pyproject.toml --universal --python-version 3.10 --generate-hashes \
  --no-emit-index-url --custom-compile-command 'make lock' --upgrade --output-file $(1)

.PHONY: clean
clean: ## remove the environments, caches and everything generated that is not committed
	rm -rf .venv .venv-* dist results.json .autograder_cache .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find autograder solution starter tests_public tests_hidden -name __pycache__ -prune -exec rm -rf {} +
