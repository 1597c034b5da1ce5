# Needs Python 3.11 or newer, make and git. `make` alone lists what can be made.
PYTHON ?= python3
PORT ?= 8000
RUN := .venv/bin/python -m
# One process for each processor; each does its share of what there is to train.
WORKERS ?= $(shell $(PYTHON) -c 'import os; print(os.cpu_count())')
IN_PARALLEL = $(RUN) torch.distributed.run --standalone --nproc-per-node=$(WORKERS) -m
# On all processors. The tests of a file, or of a class, stay together: they share what is slow to make.
PYTEST := $(RUN) pytest -n auto --dist loadscope --no-loadscope-reorder

# Builds and tests start many processes. Without stored bytecode each compiles again what it imports.
unexport PYTHONDONTWRITEBYTECODE
# What other packages warn of is no error of this book, whatever the shell makes of warnings.
unexport PYTHONWARNINGS

.DEFAULT_GOAL := help
.PHONY: help setup book serve check test test-all notebooks zip student budgets bench experiments stills repository clean

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## install the pinned packages and pe_lib into .venv
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo 'Python 3.11 or newer is needed. Name one: make PYTHON=/path/to/python3'; exit 1; }
	@$(PYTHON) book/tools/environment.py

book: setup ## build the book's HTML and say where it is
	@$(RUN) book.tools.build

serve: book ## build the book and open it in a browser (PORT=8000)
	@$(RUN) book.tools.serve $(PORT)

zip: book ## put the built book into one file, to be read offline
	@$(RUN) book.tools.archive

check: setup ## check style and types, without running any code of ours
	@$(RUN) ruff check .
	@$(RUN) ruff format --check .
	@$(RUN) mypy
	@$(RUN) book.tools.javascript

test: setup ## run every test but the slow ones
	@$(PYTEST) -m 'not slow'

test-all: setup ## run every test
	@$(PYTEST)

notebooks: setup ## execute, in place, the chapters that changed
	@$(RUN) book.tools.notebooks run

student: setup ## write the notebooks without solutions, for a class, into _build/student
	@$(RUN) book.tools.student

budgets: setup ## count words, cells, screens and minutes of the chapters, beside what they may have
	@$(RUN) book.tools.budgets

bench: setup ## measure accuracy and speed beside other libraries, and from a slider to the picture
	@$(RUN) benchmarks

experiments: setup ## train again what the book shows the training of: about five hours, in parts if you like
	@$(RUN) pe_lib.experiments extrapolation plan --again
	@$(IN_PARALLEL) pe_lib.experiments extrapolation tuning --again
	@$(RUN) pe_lib.experiments extrapolation tables
	@$(IN_PARALLEL) pe_lib.experiments extrapolation seeds --again
	@$(RUN) pe_lib.experiments extrapolation smoke
	@$(RUN) pe_lib.experiments extrapolation tables
	@$(IN_PARALLEL) pe_lib.experiments controls seeds --again
	@$(RUN) pe_lib.experiments controls tables
	@$(RUN) pe_lib.experiments extrapolation costs
	@$(RUN) pe_lib.experiments extrapolation diagnostics
	@$(RUN) pe_lib.experiments extrapolation model
	@$(RUN) pe_lib.experiments digits plan --again
	@$(IN_PARALLEL) pe_lib.experiments digits tuning --again
	@$(RUN) pe_lib.experiments digits tables
	@$(IN_PARALLEL) pe_lib.experiments digits seeds --again
	@$(RUN) pe_lib.experiments digits smoke
	@$(RUN) pe_lib.experiments digits tables
	@$(RUN) pe_lib.experiments letters plan --again
	@$(IN_PARALLEL) pe_lib.experiments letters tuning --again
	@$(RUN) pe_lib.experiments letters tables
	@$(IN_PARALLEL) pe_lib.experiments letters seeds --again
	@$(RUN) pe_lib.experiments letters smoke
	@$(RUN) pe_lib.experiments letters tables
	@$(RUN) pe_lib.experiments tasks plan --again
	@$(IN_PARALLEL) pe_lib.experiments tasks seeds --again
	@$(RUN) pe_lib.experiments tasks smoke
	@$(RUN) pe_lib.experiments tasks tables
	@$(RUN) pe_lib.experiments recall plan --again
	@$(IN_PARALLEL) pe_lib.experiments recall tuning --again
	@$(RUN) pe_lib.experiments recall tables
	@$(IN_PARALLEL) pe_lib.experiments recall seeds --again
	@$(RUN) pe_lib.experiments recall smoke
	@$(RUN) pe_lib.experiments recall tables
	@$(RUN) pe_lib.experiments learned_table
	@$(RUN) pe_lib.experiments digit_sizes

stills: setup ## draw the still pictures shown where JavaScript is off
	@$(RUN) book.tools.stills

repository: setup ## set the repository's address (URL=https://host/owner/name)
	@$(RUN) book.tools.repository $(if $(filter command,$(origin URL)),'$(URL)')

clean: ## remove what was built, but not .venv
	rm -rf _build build dist *.egg-info .pytest_cache .hypothesis .ruff_cache .mypy_cache node_modules
