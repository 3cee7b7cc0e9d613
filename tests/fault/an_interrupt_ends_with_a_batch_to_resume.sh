# Job control, because a script's background jobs ignore SIGINT otherwise.
. "$CASES/batches.bash"
make_batch 40 200
set -m
for signal in TERM INT; do
  rm -rf run
  "${batch[@]}" pairs.tsv 2>err &
  job=$!
  until [ "$(stat -c %s run/journal.clj 2>/dev/null || echo 0)" -gt 40 ] || ! kill -0 $job 2>/dev/null; do :; done
  kill -$signal $job
  wait $job 2>/dev/null
  code=$?
  # It may have been faster.
  [ $code -eq 4 ] || [ $code -eq 0 ] || fail "exit $code: $(cat err)"
  for kind in paf bam json; do [ ! -e got.$kind ] || cmp want.$kind got.$kind || fail "a part of $kind"; done
  rm -f got.*
  [ -z "$(find . -name lock -o -name '.*.tmp')" ] || fail "something was left behind"
  clalign resume --quiet run || fail "cannot resume"
  check_batch "$signal and resume"
done
echo same
