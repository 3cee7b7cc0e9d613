# Costs with decimals: whole numbers of parts of a point inside, decimals wherever a user sees them.
need_program samtools
fasta q ACGTACGTTTGACCAGTACCTAG >q.fa
fasta t ACGTACGTGACCACGTACCTAGG >t.fa
align() { clalign align --format json "$@" q.fa t.fa; }
align --match 5 --mismatch -4 --gap-open 10 --gap-extend 0.5 --format pair --output out.txt --format sam --output out.sam \
  --format paf --output out.paf --save out.cla --explain >out.json 2>err || exit
grep -E '^scores|^  +computed in|^  score|^  scoring' err
json .score .scoring.match .scoring.gap_first .scoring.gap_ext out.json | xargs
grep -E '^# (Matrix|Gap_|Extend|Score)' out.txt
grep -o 'AS:i.*cg' out.paf
samtools view out.sam | grep -oE '(AS|su):i:[0-9]+' | xargs
clalign verify out.cla q.fa t.fa
clalign show --format json out.cla | jq -c '[.score, .scoring.gap_ext]'
# Shortest and exact: not 0.30000000000000004 or 12.50.
align --quiet --match 0.1 --mismatch -0.3 --gap-first 0.5 --gap-ext 0.20 --mode global | grep -oE '"(score|match|mismatch|gap_first|gap_ext)":[-0-9.]+' | xargs
align --quiet --match 1.000 --mismatch -3.0 | grep -oE '"(score|match|mismatch)":[-0-9.]+' | xargs
# The same with all numbers doubled by hand.
align --quiet --match 10 --mismatch -8 --gap-open 20 --gap-extend 1 | jq '.score / 2'
[ "$(align --quiet --match 10 --mismatch -8 --gap-open 20 --gap-extend 1 | jq .cigar)" = "$(jq .cigar out.json)" ] ||
  fail "another path"
# A matrix with fractions, which a saved alignment keeps.
printf '   A  C  G  T\nA 1.25 -1 -1 -1\nC -1 1.25 -1 -1\nG -1 -1 1.25 -1\nT -1 -1 -1 1.25\n' >quarters
align --quiet --matrix quarters --save own.cla | jq -c '[.score, .scoring.matrix.scores[0], .scoring.gap_ext]'
clalign show --format json own.cla | jq -c '[.score, .scoring.matrix.scores[0], .scoring.gap_ext]'
# A bound is in points, and one between two possible scores counts as the higher one.
align --quiet --match 1.5 --lower-bound 19.1 | jq -c .score
code_of align --quiet --match 1.5 --lower-bound 19.6
