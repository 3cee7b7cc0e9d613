. "$CASES/batches.bash"
# A long pair in the middle of short ones: in the list, and by itself.
make_pairs 6 300
clalign simulate --seed 9 --length 100000 --query-name long_q --target-name long_t --output-query long_q.fa \
  --output-target long_t.fa || fail "no simulated pair"
sed -i '3a long_q.fa\tlong_t.fa' pairs.tsv
clalign batch --quiet --output want.paf pairs.tsv || fail "no undisturbed batch"
for device in 0 0,0; do
  rm -rf run
  clalign batch --quiet --device $device --device-memory 1M --run-dir run --output got.paf pairs.tsv
  echo "exit $?"
  grep -v long_q want.paf | cmp - got.paf || fail "other alignments of the pairs that fit"
  clalign resume --quiet --device-memory 64M run || fail "no resume"
  cmp want.paf got.paf || fail "other alignments after all"
done
rm -rf run
# With --fail-fast it ends the batch.
clalign batch --quiet --fail-fast --device-memory 1M --run-dir run --output fast.paf pairs.tsv
echo "exit $?"
[ ! -e fast.paf ] || fail "there is a file"
clalign resume --quiet --device-memory 64M run || fail "no resume"
cmp want.paf fast.paf || fail "other alignments after --fail-fast"
