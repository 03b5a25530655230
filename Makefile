# Everything here runs without questions. `make demo` and `make test` install what is missing first.

CARGO ?= cargo

.PHONY: demo test test-long test-release bench lint setup package-files package deb

demo: setup
	@echo "demo: the first build compiles a SAT solver (CaDiCaL, C++) and takes some minutes"
	$(CARGO) build --release --package raddle
	CARGO="$(CARGO)" scripts/demo.sh

# Without examples and benchmarks, which `make lint` builds; there are no tests in documentation.
# Some tests wait for a limit or a signal, so more of them than processors run at once.
test: setup
	$(CARGO) xtask tidy
	$(CARGO) xtask test --workspace --tests

# What takes minutes: longer random comparisons, the rest of the corpus, and the library models against native execution on
# some 200 programs. RADDLE_PROGRAMS says how many random programs each comparison takes, RADDLE_SEED where they begin.
LONG = $(CARGO) test --profile long
LONG_ALL = $(CARGO) xtask test --profile long --workspace --tests --exclude raddle
test-long: setup
	scripts/setup.sh z3
	$(LONG) --package raddle --test native -- --include-ignored --nocapture
	$(LONG) --package raddle --test corpus -- --ignored
	$(LONG) --package raddle --test command -- --ignored
	RADDLE_SEEDS=$${RADDLE_SEEDS:-400} $(LONG) --package raddle-boolean --test boolean_programs
	RADDLE_PROGRAMS=$${RADDLE_PROGRAMS:-150} $(LONG_ALL) -- --ignored --skip in_a_browser

# Before a release: the random comparisons on other programs than `test-long` has (half an hour); RADDLE_PROGRAMS=10000 takes a day.
# Before that, the HTML view in a browser, BenchExec's check of the tool-info module with five runs, and a build from the archives.
test-release: setup
	scripts/setup.sh z3 chromium chromium-driver python3-venv
	$(CARGO) test --workspace --test html -- --ignored in_a_browser
	CARGO="$(CARGO)" scripts/benchexec.sh
	CARGO="$(CARGO)" scripts/package.sh
	RADDLE_PROGRAMS=$${RADDLE_PROGRAMS:-300} RADDLE_SEED=$${RADDLE_SEED:-500000} \
		$(LONG_ALL) -- --ignored --skip in_a_browser

# One benchmark: make bench NAME=machine. Without a name, the list.
bench: setup
	$(CARGO) xtask bench $(NAME)

lint:
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	$(CARGO) xtask tidy
	CARGO="$(CARGO)" scripts/deny.sh

# Manual pages and completions, as packages ship them.
package-files: setup
	$(CARGO) build --release --package raddle
	mkdir -p target/package-files
	$(CARGO) run --quiet --release --package raddle -- man target/package-files/man
	$(CARGO) run --quiet --release --package raddle -- completions bash > target/package-files/raddle.bash
	$(CARGO) run --quiet --release --package raddle -- completions zsh > target/package-files/_raddle
	$(CARGO) run --quiet --release --package raddle -- completions fish > target/package-files/raddle.fish

# A package for Debian and its relatives (cargo install cargo-deb).
deb: package-files
	$(CARGO) deb --package raddle --no-build

# The archives of all crates, and a build of the programs from nothing else of ours.
package: setup
	scripts/package.sh

setup:
	scripts/setup.sh
