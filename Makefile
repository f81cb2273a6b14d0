# Every target makes its own environment from Python and pip alone.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
READY = $(VENV)/.ready
WORKERS ?= 2
MINUTES ?= 60
N ?= 200
unexport PYTHONPATH   # what is tested is this tree, whatever the caller's shell says

.PHONY: demo test lint types train bench bench-retrieval bench-shapes bench-everyday bench-languages bench-context bench-confidence bench-promotions bench-load bench-hooks bench-start bench-adapters bench-crowd bench-encryption bench-inspector compat conformance conformance-anthropic fuzz-http soak torture mutants audit browser pictures lowest dist sbom release-check clean

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --upgrade pip
	$(BIN)/python -m pip install -q --no-binary claude-agent-sdk -e ".[pretty]" --group dev
	touch $(READY)

demo: $(READY)   ## the main job, on the embedded default
	$(BIN)/ricordo demo

test: lint types   ## everything a change has to pass
	$(BIN)/python -m pytest -n $(WORKERS)

lint: $(READY)
	$(BIN)/ruff check src tests bench scripts examples compat
	$(BIN)/ruff format --check src tests bench scripts examples compat

types: $(READY)
	$(BIN)/mypy

train: $(READY)   ## learn the weights of the ranker again, for the bundled model
	$(BIN)/python scripts/train/ranker.py

bench: $(READY)   ## speed, as ratios to a raw baseline in the same run
	$(BIN)/python bench/speed.py

bench-retrieval: $(READY)   ## DATA=file.jsonl: how much of the evidence recall finds
	$(BIN)/python bench/retrieval.py $(DATA)

bench-shapes: $(READY)   ## DATA=file: the same conversations in other shapes
	$(BIN)/python bench/shapes.py $(DATA)

bench-everyday: $(READY)   ## DATA=folder: who has the right text first in notes, chats and documents
	$(BIN)/python bench/everyday.py $(DATA)

bench-context: $(READY)   ## DATA=folder: whether what answers stands in the context after append
	$(BIN)/python bench/context.py $(DATA)

bench-languages: $(READY)   ## the same in other languages; DATA=folder: other sets
	$(BIN)/python bench/languages.py $(DATA)

bench-confidence: $(READY)   ## DATA=file: what a space speaks of, told from what it does not
	$(BIN)/python bench/confidence.py $(DATA)

bench-promotions: $(READY)   ## how many of the promotions of a sweep were wanted
	$(BIN)/python bench/promotions.py

bench-load: $(READY)   ## 32 clients over HTTP for 30 seconds
	$(BIN)/python bench/load.py

bench-hooks: $(READY)   ## CPU of each hook beside bare Python
	$(BIN)/python bench/hooks.py

bench-start: $(READY)   ## CPU from the bare interpreter to an answer, beside bare Python
	$(BIN)/python bench/start.py

bench-adapters: $(READY)   ## adapters beside the reference implementations of their frameworks
	$(BIN)/python -m pip install -q langgraph-checkpoint-sqlite pysqlite3-binary
	$(BIN)/python bench/adapters.py

bench-crowd: $(READY)   ## eight processes that append to one file
	$(BIN)/python bench/crowd.py

compat: $(READY)   ## PEERS="openai_agents ...": the tests of other frameworks against our adapters; fetches their source
	$(BIN)/python compat/run.py $(PEERS)

bench-encryption: $(READY)   ## appends and recalls of an encrypted file beside a plain one
	$(BIN)/python bench/encryption.py

bench-inspector: $(READY)   ## the first view of the inspector over 100,000 chunks
	$(BIN)/python bench/inspector.py

conformance: $(READY)   ## the MCP conformance suite; needs npm
	$(BIN)/python scripts/conformance.py

conformance-anthropic: $(READY)   ## the memory-tool tests of Anthropic's SDK; fetches its source
	$(BIN)/python scripts/anthropic_conformance.py

fuzz-http: $(READY)   ## schemathesis against the OpenAPI document: no 5xx
	$(BIN)/python -m pip install -q "schemathesis>=4"
	$(BIN)/python scripts/fuzz_http.py

soak: $(READY)   ## MINUTES=60: a server and the library under load; does anything grow? Linux
	$(BIN)/python bench/soak.py --minutes $(MINUTES)

torture: $(READY)   ## the full tier of the tests of docs/reliability.md, at most 25 minutes; prints its figures
	rm -f build/figures.jsonl && mkdir -p build
	RICORDO_CRASH=all RICORDO_FIGURES=$(CURDIR)/build/figures.jsonl \
		$(BIN)/python -m pytest -n $(WORKERS) --timeout 1500 tests/crash tests/isolation tests/hostile \
		tests/store/postgres/test_partitions.py
	cat build/figures.jsonl

mutants: $(READY)   ## N=200 [SEED=7]: changes to recall and to group commit at random; which ones do tests notice?
	$(BIN)/python scripts/mutants.py $(N) -j $(WORKERS) $(if $(SEED),--seed $(SEED))

browser: $(READY)   ## the inspector in Chromium, over a whole year of memory; on Debian as root it fetches one
	$(PYTHON) scripts/find_browser.py --install
	BROWSER_TIER=all REQUIRE_BROWSER=1 $(BIN)/python -m pytest tests/browser

pictures: $(READY)   ## draw the pictures of the docs again
	TAKE_PICTURES=1 REQUIRE_BROWSER=1 $(BIN)/python -m pytest tests/browser/test_pictures.py

audit: $(READY)   ## known weaknesses of what is installed; asks a public database
	$(BIN)/python -m pip install -q pip-audit
	$(BIN)/python -m pip_audit --skip-editable

lowest:   ## the tests of store, flows and search, with the lowest versions we allow
	$(PYTHON) -m venv build/lowest
	$(PYTHON) scripts/lowest.py > build/lowest.txt
	build/lowest/bin/python -m pip install -q -r build/lowest.txt pytest pytest-timeout hypothesis
	PYTHONPATH=src build/lowest/bin/python -m pytest tests/store/test_conformance.py tests/store/sqlite/test_file.py \
		tests/store/test_check.py tests/flows/recall/test_recall.py tests/embed/test_minilm.py tests/flows/time

dist:   ## an sdist and a wheel in dist/, then the wheel installed and tried in an environment of its own
	rm -rf dist build/packaging build/installed
	$(PYTHON) -m venv build/packaging
	build/packaging/bin/python -m pip install -q "build>=1.2" "twine>=6.1"
	build/packaging/bin/python -m build
	build/packaging/bin/python -m twine check --strict dist/*
	$(PYTHON) -m venv build/installed
	build/installed/bin/python -m pip install -q dist/*.whl
	build/installed/bin/ricordo demo

sbom:   ## build/sbom.json: what a release holds, as CycloneDX; after `make dist`
	build/installed/bin/python scripts/sbom.py > build/sbom.json

release-check:   ## TAG=v1.2.3: does it fit the version and the changelog?
	$(PYTHON) scripts/check_release.py "$(TAG)"

clean:
	rm -rf $(VENV) build dist
