# The same pair with the query turned around: the same runs, the query's positions counted from its other end.
need_program jq
simulate_pair 4 6000
sed -i '2s/^\(.\{40\}\)..../\1NRKV/' q.fa
{ head -n 1 q.fa; tail -n +2 q.fa | tr -d '\n' | rev | tr ACGTRYKMBVDH TGCAYRMKVBHD; echo; } >r.fa
for mode in local global; do
  clalign align --quiet --mode $mode --format json --output f.json --format paf --output f.paf q.fa t.fa || exit
  clalign align --quiet --mode $mode --strand reverse --format json --output r.json --format paf --output r.paf \
    --format cigar --output r.cigar --format pair --output r.pair --save r.cla r.fa t.fa || exit
  jq -c '[.score, .cigar, .target, .matches, .query.length - .query.end, .query.length - .query.start]' f.json >f
  jq -c '[.score, .cigar, .target, .matches, .query.start, .query.end]' r.json >r
  cmp f r || fail "$mode: not mirrored"
  json .query.strand .target.strand r.json
  awk -v OFS='\t' '{ start = $3; $3 = $2 - $4; $4 = $2 - start; $5 = "-"; print }' f.paf | cmp - r.paf || fail "$mode: paf"
  jq -r .cigar r.json | cmp - r.cigar || fail "$mode: cigar"
  clalign verify r.cla r.fa t.fa | sed 's/[0-9][0-9]*/N/g'
  for format in paf cigar; do clalign show --format $format r.cla | cmp - r.$format || fail "$mode: show $format"; done
  clalign show --format json r.cla | jq -r .query.strand
  # Rows of letters lead down from the end of the query to its start.
  first=$(grep -m 1 '^query ' r.pair | awk '{ print $2 }') last=$(grep '^query ' r.pair | tail -n 1 | awk '{ print $4 }')
  echo "$((first - $(json .query.end r.json))) $((last - 1 - $(json .query.start r.json)))"
done
code_of clalign verify r.cla q.fa t.fa
