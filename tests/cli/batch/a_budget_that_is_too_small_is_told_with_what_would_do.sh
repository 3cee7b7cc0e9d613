# A long pair: its share of the budget is too small, and the number that is told is one for the whole.
simulate_pair 1 60000
printf 'q.fa\tt.fa\n' >pairs.tsv
for way in pairs.tsv "--device 0,0 pairs.tsv" "--pairwise q.fa t.fa" "--max-alignments 2 pairs.tsv"; do
  # shellcheck disable=SC2086
  clalign batch --quiet --memory 1M --output out.paf $way 2>err && fail "$way has enough"
  grep -q -- '): --memory 1048576 is too small: [0-9]* bytes would do; ' err || fail "$way: $(cat err)"
  enough=$(grep -o '[0-9]* bytes' err | cut -d' ' -f1)
  # shellcheck disable=SC2086
  clalign batch --quiet --memory "$enough" --output out.paf $way || fail "$way: $enough is too small"
  # shellcheck disable=SC2086
  clalign batch --quiet --memory $((enough * 99 / 100)) --output out.paf $way 2>err && fail "$way: $enough is too large"
done
echo told
