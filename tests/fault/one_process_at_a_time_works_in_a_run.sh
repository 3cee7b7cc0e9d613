. "$CASES/faults.bash"
make_reference 60000 "${slow[@]}"
clalign align --quiet "${slow[@]}" --run-dir run --format paf --output got.paf --format cigar --output got.cigar \
  --save got.cla q.fa t.fa 2>err &
job=$!
until [ -f run/manifest.json ] || ! kill -0 $job 2>/dev/null; do sleep 0.02; done
code_of clalign resume --quiet run
code_of clalign align --quiet --run-dir run q.fa t.fa
kill -9 $job
wait $job 2>/dev/null
# The lock died with its process.
clalign resume --quiet run || fail "cannot resume"
check_results "resume"
code_of clalign align --quiet --run-dir run q.fa t.fa
