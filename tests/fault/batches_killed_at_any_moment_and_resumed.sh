. "$CASES/batches.bash"
. "$CASES/faults.bash"
RANDOM=${CLALIGN_TEST_SEED:=$$}
echo "seed $CLALIGN_TEST_SEED" >&2
ways=("" "--kernel vector16" "--memory 64M" "--threads 1")

# Kills the command once the journal has so many bytes more; 0 if it ended before, with success.
run_and_kill() {
  local most=$(($(stat -c %s run/journal.clj 2>/dev/null || echo 0) + 1 + RANDOM % journal_bytes)) job
  "$@" 2>>log &
  job=$!
  until [ "$(stat -c %s run/journal.clj 2>/dev/null || echo 0)" -ge "$most" ] || ! kill -0 $job 2>/dev/null; do :; done
  kill_job $job
}

kill_and_resume() {
  local attempt kind
  kills=0
  while [ $kills -lt "$1" ]; do
    rm -rf run
    : >log
    for attempt in 1 2 3; do
      if [ -f run/batch.json ]; then
        # shellcheck disable=SC2086
        run_and_kill clalign resume --quiet ${ways[RANDOM % ${#ways[@]}]} run && break
      else
        run_and_kill "${batch[@]}" "${inputs[@]:-pairs.tsv}" && break
      fi
      # An output is complete or not there.
      for kind in paf bam json; do [ ! -e got.$kind ] || cmp want.$kind got.$kind || fail "a part of $kind"; done
    done
    [ -f run/batch.json ] || continue
    rm -f got.*
    clalign resume --quiet run 2>>log || fail "cannot resume: $(tail -n 1 log)"
    check_batch "a batch that was killed"
    grep -v 'bytes of the journal' log && fail "something was told"
  done
}
make_batch 60 200 --max-alignments 2
kill_and_resume 4
# Where only the best of each query are wanted.
rm -rf ./*
inputs=(--all-vs-all q.fa t.fa)
make_batch 12 60 --top 2
kill_and_resume 3
echo same
