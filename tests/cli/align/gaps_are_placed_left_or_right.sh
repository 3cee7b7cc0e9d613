# Variants in repeats, on the target's forward strand whatever the query's is.
fasta t GATTACAGGCCACACACACATTGCGATCGGATAAAAAACCGTCTGATTGCAGC >t.fa
fasta q GATTACAGGCCACACACATTGCGATCGGATAAAAAAAACCGTCTGATTGCAGC >q.fa
tr ACGT TGCA <q.fa | sed 's/^>.*/>q/' | awk '/^>/ { print; next } { for (i = length($0); i > 0; i--) printf "%s", substr($0, i, 1); print "" }' >r.fa
align() { clalign align --quiet --format json "$@" | jq -c '[.score, .target.start, .target.end, .gap_placement, .cigar]'; }
align --save out.cla q.fa t.fa
for placement in left right; do
  align --gap-placement $placement --save $placement.cla q.fa t.fa
  align --gap-placement $placement --strand reverse r.fa t.fa
  align --gap-placement $placement --mode global q.fa t.fa
  clalign show --gap-placement $placement --format cigar out.cla
  clalign show --format json $placement.cla | jq -c '[.score, .gap_placement, .cigar]'
  clalign verify $placement.cla q.fa t.fa
done
clalign show --gap-placement left --format cigar right.cla
echo "-- refused"
code_of clalign align --gap-placement middle q.fa t.fa
code_of clalign align --gap-placement left --score-only q.fa t.fa
clalign align --quiet --score-only --save score.cla --output /dev/null q.fa t.fa
code_of clalign show --gap-placement left score.cla
