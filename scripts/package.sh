#!/usr/bin/env bash
# Makes the archives of all crates that can be published, unpacks them elsewhere, and builds the programs from these: what a
# crate embeds must lie inside it. Crates of others come from where cargo finds them; options are passed on to cargo package.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo=${CARGO:-cargo}
target=${CARGO_TARGET_DIR:-$PWD/target}
offline=()
for word in "$@"; do [ "$word" != --offline ] || offline=(--offline); done
unpacked=$(mktemp -d)
trap 'rm -rf "$unpacked"' EXIT

rm -f "$target"/package/raddle*.crate
"$cargo" package --workspace --exclude xtask --exclude raddle-conformance --no-verify "$@"

{
    printf '[workspace]\nresolver = "2"\nmembers = ["raddle"]\n\n[patch.crates-io]\n'
    for archive in "$target"/package/raddle*.crate; do
        tar -xzf "$archive" -C "$unpacked"
        folder=$(basename "$archive" .crate)
        name=${folder%-*}
        mv "$unpacked/$folder" "$unpacked/$name"
        # The one that is built, and those that it takes from the others.
        [ "$name" = raddle ] || printf '%s = { path = "%s" }\n' "$name" "$name"
    done
} > "$unpacked/Cargo.toml"
cp Cargo.lock "$unpacked/"
cd "$unpacked"
CARGO_TARGET_DIR="$target" "$cargo" build --package raddle "${offline[@]}"
printf 'package: built from %s archives\n' "$(find "$unpacked" -mindepth 1 -maxdepth 1 -name 'raddle*' | wc -l)"
