# Job control, because a script's background jobs ignore SIGINT otherwise.
. "$CASES/faults.bash"
make_reference 60000 "${slow[@]}"
set -m
for signal in TERM INT; do
  rm -rf run
  clalign align --quiet "${slow[@]}" --run-dir run --format paf --output got.paf --format cigar --output got.cigar \
    --save got.cla q.fa t.fa 2>err &
  job=$!
  until [ -n "$(find run -name 'row-*' 2>/dev/null)" ] || ! kill -0 $job 2>/dev/null; do sleep 0.02; done
  kill -$signal $job
  wait $job 2>/dev/null
  echo "$signal: exit $?"
  cat err >&2
  find . -name 'got.*' -o -name 'lock' -o -name '.*.tmp'
  clalign resume --quiet run || fail "cannot resume"
  check_results "$signal and resume"
done
