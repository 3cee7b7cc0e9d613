. "$CASES/pairs.bash"
make_pairs 12 150
# Ranges, one of which is another's part, and a pair that has nothing in common.
printf 'q.fa:q3:11-90\tt.fa:t3\nq.fa:q3\tt.fa:t3:40-\nq.fa:q1\tt.fa:t2\n' >>pairs.tsv
for options in "" "--mode global --strand both" "--max-alignments 3 --match 2" "--min-score 60" "--gap-first2 12 --gap-ext2 1"; do
  clalign batch --quiet $options --format paf pairs.tsv >batch.paf || fail "batch $options"
  align_each pairs.tsv $options --format paf >each.paf || fail "align $options"
  [ -s each.paf ] || fail "no alignments"
  cmp batch.paf each.paf || fail "$options: others than of each pair alone"
done
clalign batch --quiet --score-only pairs.tsv | jq -c '[.score, .query.end, .target.end]' >batch.scores
align_each pairs.tsv --score-only --format json | jq -c '[.score, .query.end, .target.end]' | cmp - batch.scores
# The i-th records of two files, the standard input, other line ends, compressed files, comments and further columns.
head -n 12 pairs.tsv >first.tsv
clalign batch --quiet first.tsv >first.paf
clalign batch --quiet --pairwise q.fa t.fa | cmp - first.paf || fail "pairwise"
clalign batch --quiet - <first.tsv | cmp - first.paf || fail "standard input"
{ printf '# two columns\r\n\r\n'; sed 's/$/\tmine\r/' first.tsv; } >windows.tsv
clalign batch --quiet windows.tsv | cmp - first.paf || fail "CRLF"
gzip -k first.tsv
clalign batch --quiet first.tsv.gz | cmp - first.paf || fail "gz"
gzip -k q.fa
sed 's/$/\r/' t.fa >t.crlf.fa
sed 's/q.fa/q.fa.gz/; s/t.fa/t.crlf.fa/' first.tsv >packed.tsv
clalign batch --quiet packed.tsv | cmp - first.paf || fail "gz and CRLF sequences"
tac packed.tsv >backwards.tsv
clalign batch --quiet backwards.tsv >backwards.paf
tac backwards.paf | cmp - first.paf || fail "backwards"
cat q.fa | clalign batch --quiet --pairwise - t.fa | cmp - first.paf || fail "a file on standard input"
sed "s/q.fa.gz/-/" backwards.tsv >piped.tsv
cat q.fa | clalign batch --quiet piped.tsv | cmp - backwards.paf || fail "records on standard input"
echo "same"
