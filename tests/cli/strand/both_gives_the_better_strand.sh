simulate_pair 6 7000
{ head -n 1 q.fa; tail -n +2 q.fa | tr -d '\n' | rev | tr ACGT TGCA; echo; } >r.fa
for mode in local global; do
  for bound in auto off; do
    clalign align --quiet --mode $mode --format paf q.fa t.fa >forward.paf || exit
    clalign align --quiet --mode $mode --strand reverse --format paf r.fa t.fa >reverse.paf || exit
    clalign align --quiet --mode $mode --strand both --lower-bound $bound --format paf q.fa t.fa | cmp - forward.paf
    clalign align --quiet --mode $mode --strand both --lower-bound $bound --format paf r.fa t.fa | cmp - reverse.paf
  done
  clalign align --quiet --mode $mode --strand both --score-only r.fa t.fa | jq -c '[.query.strand, .query.start != null, .query.end]'
done
# Cells are those of both strands, of which the second need not compute what cannot win.
clalign align --quiet --strand both --format json q.fa t.fa >both.json
clalign align --quiet --lower-bound off --format json q.fa t.fa >one.json
[ "$(json .cells both.json)" = "$((2 * $(json .cells one.json)))" ] || fail "cells"
# What is its own reverse complement has equal scores; so have strands that align nothing.
fasta palindrome ACGGATCCGT >p.fa
clalign align --quiet --strand both --format paf p.fa p.fa | cut -f 1-9
fasta a AAAA >a.fa
fasta c CCCC >c.fa
clalign align --quiet --strand both --score-only a.fa c.fa | jq -c '[.score, .query.strand]'
# A claim is of the better strand.
best=$(clalign align --quiet --strand both --score-only r.fa t.fa | jq .score)
clalign align --quiet --strand both --score-only --lower-bound "$best" r.fa t.fa | jq -c "[.score - $best, .query.strand]"
code_of clalign align --quiet --strand both --lower-bound $((best + 1)) --output none r.fa t.fa
clalign align --strand both --explain --output out r.fa t.fa 2>&1 | grep -cE '^(pair|strand) '
clalign align --strand both --output out r.fa t.fa 2>&1 | grep -o 'query, reverse strand'
