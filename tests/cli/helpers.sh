# shellcheck shell=bash
# Read in by tests/cli/run before every case.

set -uo pipefail

skip() {
  echo "skipped: $*"
  exit 77
}

fail() {
  echo "FAILED: $*"
  exit 1
}

# exits CODE COMMAND...: the command must end with that code, for cases that make several calls.
exits() {
  "${@:2}"
  local code=$?
  [ $code -eq "$1" ] || echo "exit $code, not $1: ${*:2}" | tee /dev/stderr
}

# fasta NAME LETTERS: a record on stdout.
fasta() {
  printf '>%s\n%s\n' "$1" "$2"
}

# The same alignment everywhere needs the same letters: a small related pair, q.fa and t.fa.
simulate_pair() {
  clalign simulate --seed "${1:-1}" --length "${2:-2000}" --output-query q.fa --output-target t.fa ||
    fail "no simulated pair"
}

# default_scores: clalign's default scores for DNA as EMBOSS reads a matrix, on stdout.
default_scores() {
  printf '    A   T   G   C\nA   1  -3  -3  -3\nT  -3   1  -3  -3\nG  -3  -3   1  -3\nC  -3  -3  -3   1\n'
}

# json KEY... FILE: the values of keys (jq paths), a line each.
json() {
  local file=${*: -1} key
  for key in "${@:1:$#-1}"; do jq -r "$key" "$file"; done
}

# until_ready JOB COMMAND...: waits until the command succeeds; 1 if the job has ended before. Nothing says how long it may take.
until_ready() {
  until "${@:2}"; do
    kill -0 "$1" 2>/dev/null || return 1
    sleep 0.02
  done
}

need_program() {
  command -v "$1" >/dev/null || skip "no $1"
}

# need_data FILE...: published sequences, from the folder CLALIGN_TEST_DATA.
need_data() {
  [ -n "${CLALIGN_TEST_DATA:-}" ] || skip "CLALIGN_TEST_DATA is not set"
  local file
  for file in "$@"; do
    [ -r "$CLALIGN_TEST_DATA/$file" ] || skip "no $file in $CLALIGN_TEST_DATA"
  done
}

# Files in the current folder, sorted, hidden ones too: to see that nothing was left behind.
list_files() {
  find . -mindepth 1 -printf '%P\n' | sort
}

# shipped_record: a tuning record that every device takes, on stdout.
shipped_record() {
  cat <<'END'
clalign tuning record 1
platform *
device *
driver *
units any
signature any
local 10000 wave32 32 2 128 diagonals 0 0.5 0.001 0.002 1e-06
global 10000 wave32 16 2 256 diagonals 0 1 0 0 1e-07
end
END
}
