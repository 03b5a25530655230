#!/usr/bin/env bash
# Checks a program with a lost update, then the repaired one. Succeeds when the bug is found and the repair is not
# blamed.
set -euo pipefail
cd "$(dirname "$0")/.."

raddle() {
    "${CARGO:-cargo}" run --quiet --release --package raddle -- "$@"
}

show() {
    printf '\n$ raddle %s\n\n' "$*"
    local code=0
    raddle "$@" || code=$?
    return "$code"
}

code=0
show check examples/lost_update.c || code=$?
[ "$code" -eq 1 ] || { echo "demo: expected the lost update to be found (exit code 1, not $code)" >&2; exit 1; }

code=0
show check examples/lost_update_fixed.c || code=$?
case "$code" in
    0 | 2) ;;
    *) echo "demo: expected no violation in the repaired program (exit code 0 or 2, not $code)" >&2; exit 1 ;;
esac
