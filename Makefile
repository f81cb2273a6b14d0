# Every target makes its own environment from Python and pip alone.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
READY = $(VENV)/.ready
WORKERS ?= 2

.PHONY: demo test lint types bench bench-retrieval bench-shapes clean

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --upgrade pip
	$(BIN)/python -m pip install -q -e ".[pretty]" --group dev
	touch $(READY)

demo: $(READY)   ## the main job, on the embedded default
	$(BIN)/recollect demo

test: lint types   ## everything a change has to pass
	$(BIN)/python -m pytest -n $(WORKERS)

lint: $(READY)
	$(BIN)/ruff check src tests bench scripts examples
	$(BIN)/ruff format --check src tests bench scripts examples

types: $(READY)
	$(BIN)/mypy

bench: $(READY)   ## speed, as ratios to a raw baseline in the same run
	$(BIN)/python bench/speed.py

bench-retrieval: $(READY)   ## DATA=file.jsonl: how much of the evidence recall finds
	$(BIN)/python bench/retrieval.py $(DATA)

bench-shapes: $(READY)   ## DATA=file: the same conversations in other shapes
	$(BIN)/python bench/shapes.py $(DATA)

clean:
	rm -rf $(VENV) build dist
