# SPDX-License-Identifier: Apache-2.0
# The commands of a checkout. CMake builds Reap, scripts/ does the rest; nothing is decided here.

PREFIX ?= /usr/local
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(shell nproc)
export DESTDIR
export CASE ROUNDS
MAKEFLAGS += --no-print-directory

.DEFAULT_GOAL := build
.PHONY: build demo check check-all check-quick fuzz reference bench bench-report bench-compare
.PHONY: wheel install uninstall fix-format clean help

build: ## (the default) a release build of the library and the tool, in build/release
	cmake --preset release
	cmake --build build/release --target reap_product

demo: ## installs what it needs, builds, describes real data, runs the first example
	scripts/setup.sh build
	scripts/demo.sh

check: ## installs what it needs, runs this revision's turn of the tests: ten minutes on two cores
	scripts/setup.sh check
	scripts/check.sh

check-all: ## check with more inputs, and more tests in more configurations: 45 minutes on two cores
	scripts/setup.sh check
	scripts/check.sh all

check-quick: ## the part of check that takes under two minutes, for each commit
	scripts/setup.sh check
	scripts/check.sh style quick

SECONDS ?= 60
fuzz: ## builds the fuzz targets, runs each for SECONDS (60); or one alone, TARGET=csv
	scripts/setup.sh check
	scripts/fuzz.sh "$(SECONDS)" $(TARGET)

reference: ## installs what it needs, writes the reference as pages, in build/reference/html
	scripts/setup.sh reference
	scripts/reference.sh

bench: ## installs what it needs, measures against other libraries; QUICK=1: under a minute
	scripts/setup.sh bench
	scripts/bench.sh $(if $(QUICK),--quick)

bench-report: ## draws the results in docs/performance; REPORT=FILE NAME=FOLDER takes one in first
	scripts/setup.sh bench
	scripts/bench-report.sh $(if $(REPORT)$(NAME),"$(REPORT)" "$(NAME)")

bench-compare: ## measures the revision BASE and the working tree in turns; CASE=WORD
	scripts/setup.sh bench
	scripts/bench-compare.sh "$(BASE)"

wheel: ## installs what it needs, builds the Python package's wheel, in build/wheel
	scripts/setup.sh wheel
	scripts/wheel.sh

install: build ## installs under PREFIX (/usr/local); DESTDIR is honoured
	scripts/install.sh build/release "$(PREFIX)"

uninstall: ## removes exactly what install put under PREFIX
	scripts/uninstall.sh "$(PREFIX)"

fix-format: ## lays out every C file as the style check wants it
	scripts/check-style.sh fix-format

clean: ## removes everything that was built
	rm -rf build

help: ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile
