need_program samtools
simulate_pair 5 6000
score() { clalign align --quiet --score-only "$@" q.fa t.fa | jq .score; }
for how in "--mode local" "--mode global" "--mode global --strand reverse" "--strand both" "--mode global --strand both" \
  "--match 1.25 --gap-ext 0.5"; do
  best=$(score $how)
  for bound in auto off; do
    # At the score itself there is the same alignment, one unit above it none.
    clalign align --quiet $how --format cigar q.fa t.fa >cigar
    clalign align --quiet $how --lower-bound $bound --min-score "$best" --format cigar q.fa t.fa | cmp - cigar ||
      fail "$how, $bound"
    [ -z "$(score $how --lower-bound $bound --min-score "$(jq -n "$best + 0.01")")" ] || fail "$how: more than $best"
  done
done
# Every format says so in its own way.
clalign align --min-score 99999 --format json --output out.json --format paf --output out.paf --format cigar \
  --output out.cigar --format pair --output out.txt --format sam --output out.sam --save out.cla q.fa t.fa
echo "exit $?"
wc -c <out.json
wc -c <out.paf
wc -c <out.cigar
grep -c '^# Aligned' out.txt
tail -n 2 out.txt
samtools view -c out.sam
samtools view -H out.sam | cut -f 1-2 | grep -v '@PG'
ls out.cla 2>&1 | grep -c cannot
echo "-- with a run folder, an empty alignment and a claim"
clalign align --quiet --run-dir run --min-score 99999 --format cigar q.fa t.fa | wc -c
clalign resume --quiet run | wc -c
fasta a AAAA >a.fa
fasta c CCCC >c.fa
clalign align --quiet --min-score 0 --format cigar a.fa c.fa | wc -c
clalign align --quiet --min-score 0.5 --format cigar a.fa c.fa | wc -c
clalign align --quiet --mode global --min-score -12 --format cigar a.fa c.fa
clalign align --quiet --mode global --min-score -11.999 --format cigar a.fa c.fa | wc -c
clalign align --quiet --min-score 9000000000000000 --format cigar q.fa t.fa | wc -c
clalign align --quiet --mode global --min-score -9000000000000000 --format cigar a.fa c.fa | wc -c
code_of clalign align --quiet --lower-bound 99999 --min-score 99 --format cigar q.fa t.fa
code_of clalign align --quiet --strand both --lower-bound 99999 --min-score 99 --format cigar q.fa t.fa
code_of clalign align --min-score high q.fa t.fa
code_of clalign align --min-score 0.0005 q.fa t.fa
