#!/usr/bin/env bash
# Installs what raddle needs and is missing: a C compiler to link with, a C++ compiler to build the SAT solver with, and
# clang to read C with.
# Names of further packages, such as valgrind or chromium-driver, are installed where their program is missing.
# Does nothing when all is there. Asks no questions.
set -euo pipefail

say() { printf 'setup: %s\n' "$*"; }
give_up() { printf 'setup: %s\n' "$*" >&2; exit 1; }

command -v "${CARGO:-cargo}" >/dev/null 2>&1 ||
    give_up "cargo is missing. Install Rust 1.91 or newer (https://www.rust-lang.org/tools/install), then run this again."

if [ -n "${RADDLE_CLANG:-}" ] && ! command -v "$RADDLE_CLANG" >/dev/null 2>&1; then
    give_up "RADDLE_CLANG is set to '$RADDLE_CLANG', which is not there."
fi

find_clang() {
    if [ -n "${RADDLE_CLANG:-}" ]; then
        command -v "$RADDLE_CLANG"
        return
    fi
    local version
    for version in 22 21 20 19 18 17 16 15 14; do
        command -v "clang-$version" && return
    done
    command -v clang
}

# A compiler without the C library's headers is of no use.
compiles_threads() {
    printf '#include <pthread.h>\n#include <stdatomic.h>\nint main(void) { return 0; }\n' |
        "$1" -x c -fsyntax-only - >/dev/null 2>&1
}

missing=()
clang=$(find_clang) || true
if [ -z "$clang" ] || ! compiles_threads "$clang"; then
    missing+=(clang libc6-dev)
fi
if ! command -v cc >/dev/null 2>&1; then
    missing+=(gcc libc6-dev)
fi
# A C++ compiler without its library's headers is of no use either.
if ! printf '#include <vector>\nint main() { return 0; }\n' | "${CXX:-c++}" -x c++ -fsyntax-only - >/dev/null 2>&1; then
    missing+=(g++)
fi
for program in "$@"; do
    case "$program" in
        chromium-driver) command -v chromedriver >/dev/null 2>&1 || missing+=("$program") ;;
        python3-venv) python3 -c 'import ensurepip' >/dev/null 2>&1 || missing+=("$program") ;;
        *) command -v "$program" >/dev/null 2>&1 || missing+=("$program") ;;
    esac
done
if [ ${#missing[@]} -eq 0 ]; then
    say "all is there (clang: $clang)"
    exit 0
fi

command -v apt-get >/dev/null 2>&1 ||
    give_up "please install: ${missing[*]} (there is no apt-get here to do it with)."
if [ "$(id -u)" -eq 0 ]; then
    as_root=()
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    as_root=(sudo -n)
else
    give_up "please run as root: apt-get install ${missing[*]}"
fi

say "installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq || say "the package lists could not be refreshed; trying with those that are there"
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" ||
    give_up "apt-get could not install ${missing[*]}; the message above says why."

clang=$(find_clang) || give_up "clang is still missing after its installation."
compiles_threads "$clang" || give_up "$clang cannot compile a file that includes pthread.h."
say "done (clang: $clang)"
