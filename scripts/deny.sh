#!/usr/bin/env bash
# Licences, bans and sources of the dependencies, and versions that were withdrawn (deny.toml). Installs cargo-deny if it is
# missing; where that cannot be done, says that nothing was checked.
set -euo pipefail

cargo=${CARGO:-cargo}
say() { printf 'deny: %s\n' "$*" >&2; }

if ! "$cargo" deny --version >/dev/null 2>&1; then
    say "cargo-deny is missing; installing it (cargo install cargo-deny --locked)"
    if ! "$cargo" install cargo-deny --locked; then
        say "NOT CHECKED: cargo-deny could not be installed, so licences, bans and sources of the dependencies were not looked at"
        exit 0
    fi
fi
"$cargo" deny check licenses bans sources
# The list of advisories comes over the network.
"$cargo" deny check advisories || {
    if "$cargo" deny fetch >/dev/null 2>&1; then
        exit 1
    fi
    say "NOT CHECKED: without a network nothing is known of withdrawn versions"
}
