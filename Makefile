# Everything here runs without questions. `make demo` and `make test` install what is missing first.

CARGO ?= cargo

.PHONY: demo test test-long bench lint setup

demo: setup
	$(CARGO) build --release --package raddle
	CARGO="$(CARGO)" scripts/demo.sh

# Without examples and benchmarks, which `make lint` builds; there are no tests in documentation.
# Some tests wait for a limit or a signal, so more of them than processors run at once.
test: setup
	RUST_TEST_THREADS=$${RUST_TEST_THREADS:-4} $(CARGO) test --workspace --tests
	$(CARGO) xtask tidy

# What takes minutes: longer random comparisons, the rest of the corpus, and the library models
# against native execution on some 200 programs.
test-long: setup
	$(CARGO) test --release --package raddle --test native -- --include-ignored --nocapture
	$(CARGO) test --release --package raddle --test corpus -- --ignored
	$(CARGO) test --release --workspace --tests --exclude raddle -- --ignored

# One benchmark: make bench NAME=machine. Without a name, the list.
bench: setup
	$(CARGO) xtask bench $(NAME)

lint:
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	$(CARGO) xtask tidy
	CARGO="$(CARGO)" scripts/deny.sh

setup:
	scripts/setup.sh
