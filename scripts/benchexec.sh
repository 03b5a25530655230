#!/usr/bin/env bash
# BenchExec's own check of the tool-info module, and five runs of its programs by BenchExec, without containers.
set -euo pipefail
cd "$(dirname "$0")/.."

root=$PWD
cargo=${CARGO:-cargo}
target=${CARGO_TARGET_DIR:-$PWD/target}
fail() { printf 'benchexec: %s\n' "$*" >&2; exit 1; }

"$cargo" build --workspace
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/python"
"$work/python/bin/pip" install --quiet benchexec
export PATH="$target/debug:$PATH" PYTHONPATH="$root"

# What the module makes of each kind of last line.
for answer in TRUE UNKNOWN 'FALSE(unreach-call)' 'FALSE(no-data-race)'; do
    printf 'result: ...\nsvcomp: %s\n' "$answer" > "$work/output.txt"
    "$work/python/bin/python" -m benchexec.test_tool_info contrib.raddle --no-container --tool-output "$work/output.txt" \
        > "$work/said.txt" 2>&1 || { cat "$work/said.txt" >&2; fail "test_tool_info failed"; }
    case "$answer" in TRUE) wanted=true ;; UNKNOWN) wanted=unknown ;; *) wanted="false${answer#FALSE}" ;; esac
    grep -qF "“$wanted”" "$work/said.txt" || { cat "$work/said.txt" >&2; fail "$answer is not $wanted"; }
done
printf 'benchexec: the tool-info module passes\n'

# Tasks of our own: the corpus has the verdicts.
printf 'CHECK( init(main()), LTL(G ! data-race) )\n' > "$work/no-data-race.prp"
tasks=()
task() {
    local file="$root/tests/programs/$1.c" name
    [ -f "$file" ] || fail "$file is gone"
    name=$(basename "$1")
    printf "format_version: '2.0'\ninput_files: '%s'\nproperties:\n  - property_file: no-data-race.prp\n    expected_verdict: %s\noptions:\n  language: C\n  data_model: LP64\n" \
        "$file" "$2" > "$work/$name.yml"
    tasks+=("<include>$work/$name.yml</include>")
}
task safe/time/entry_expires true
task safe/mutex/recursive_mutex true
task safe/symbolic_race/both_in_sections true
task unsafe/time/last_update_races false
task unsafe/race/read_while_written false
cat > "$work/five.xml" <<XML
<?xml version="1.0"?>
<!DOCTYPE benchmark PUBLIC "+//IDN sosy-lab.org//DTD BenchExec benchmark 2.3//EN" "https://www.sosy-lab.org/benchexec/benchmark-2.3.dtd">
<benchmark tool="contrib.raddle" timelimit="60s">
  <rundefinition name="five"/>
  <tasks name="own">${tasks[*]}</tasks>
  <propertyfile>$work/no-data-race.prp</propertyfile>
</benchmark>
XML
(cd "$work" && python/bin/benchexec --no-container five.xml -o out/) | tee "$work/runs.txt"
grep -Eq '^ *correct: +5$' "$work/runs.txt" || fail "not all five runs are correct"
printf 'benchexec: five runs, five correct\n'
