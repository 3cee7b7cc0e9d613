# shellcheck shell=bash
# Read in by the cases about batches: pairs, and what an undisturbed batch of them gives.
. "$CASES/../cli/batch/pairs.bash"

outputs=(--format paf --output got.paf --format bam --output got.bam --format json --output got.json)

# make_batch N LETTERS OPTION...: pairs, and the outputs of a batch with a run directory, want.*; the command
# that begins it again is left in `batch`.
make_batch() {
  local kind
  make_pairs "$1" "$2"
  batch=(clalign batch --quiet "${@:3}" "${outputs[@]}" --run-dir run)
  "${batch[@]}" "${inputs[@]:-pairs.tsv}" || fail "no undisturbed batch"
  for kind in paf bam json; do mv got.$kind want.$kind; done
  journal_bytes=$(stat -c %s run/journal.clj)
  rm -r run
}

check_batch() {
  local kind
  # The command line of a resumed batch is that which began it.
  for kind in paf bam json; do cmp want.$kind got.$kind || fail "$* gives another $kind"; done
  rm got.*
}
