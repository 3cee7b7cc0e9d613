# A plasmid whose record begins elsewhere: its best rotation, and positions on the record as it is.
simulate_pair 3 3000
rotate() { awk -v at="$1" '/^>/ { print; next } { all = all $0 } END { print substr(all, at + 1) substr(all, 1, at) }'; }
rotate 700 <t.fa >r.fa
letters=$(tail -n +2 t.fa | tr -d '\n' | wc -c)
align() { clalign align --quiet --format json "$@" | jq -c '[.score, .query.start, .query.end, .target.start, .target.end, .target.rotation]'; }
score() { clalign align --quiet --score-only "$@" | jq .score; }
# Global: never worse than the record as it was before it was rotated, and the score of the rotation that is told.
clalign align --mode global --circular target --save out.cla --format json --output out.json --format pair --output out.txt \
  --format cigar --output out.cigar q.fa r.fa 2>summary || exit
rotation=$(jq .target.rotation out.json)
rotate "$rotation" <r.fa >best.fa
[ "$(score --mode global q.fa best.fa)" = "$(jq .score out.json)" ] || fail "not the score of rotation $rotation"
clalign align --quiet --mode global --format cigar q.fa best.fa | cmp - out.cigar || fail "another path"
[ "$(jq .score out.json)" -ge "$(score --mode global q.fa t.fa)" ] || fail "worse than unrotated"
[ "$rotation" = $((letters - 700)) ] || fail "rotation $rotation of $letters"
jq -c --argjson n "$letters" '[.target.start + 700 - $n, .target.end - .target.start - $n, .target.length - $n]' out.json
grep -c 'across the origin' summary
# The record's letters in the pair format, at the record's positions.
grep '^target' out.txt | head -n 1 | awk -v n="$letters" '{ print $2 + 700 - n, $4 + 700 - n }'
clalign verify out.cla q.fa r.fa | sed "s/score.*query/query/;s/:$((letters - 700))-/:origin-/" | cut -d- -f 1-2
clalign show --format cigar out.cla | cmp - out.cigar || fail "shown otherwise"
clalign show --format cigar --gap-placement right out.cla | tr -d '0-9=XDI\n' | wc -c
# A path that does not cross the origin is that of the record as it is, without a rotation.
align q.fa t.fa >linear
align --circular target q.fa t.fa | cmp - linear || fail "local, circular target"
# The circular query; and its other strand, which is another circle.
[ "$(score --mode global --circular query r.fa q.fa)" -ge "$(score --mode global t.fa q.fa)" ] || fail "circular query"
{ echo '>turned'; tail -n +2 r.fa | tr -d '\n' | rev | tr ACGT TGCA; echo; } >turned.fa
clalign align --quiet --mode global --circular query --strand both --format json turned.fa q.fa |
  jq -c --argjson n "$letters" '[.query.strand, .query.start - 700, .query.end - .query.start - $n]'
# Small ones by hand.
fasta a GGGTTTTAAA >a.fa
fasta b AAAGGGTTTT >b.fa
align --mode global --circular target a.fa b.fa
align --circular target a.fa b.fa
align --circular query a.fa b.fa
fasta p MKVLAWGHIK >p.fa
fasta c GHIKMKVLAW >c.fa
align --circular target p.fa c.fa
fasta x AAAA >x.fa
fasta y CCCC >y.fa
align --circular target x.fa y.fa
clalign align --quiet --circular target --format paf q.fa t.fa | wc -l
echo "-- refused"
code_of clalign align --circular both q.fa t.fa
code_of clalign align --circular target --mode overlap q.fa t.fa
code_of clalign align --circular target --run-dir run q.fa t.fa
code_of clalign align --circular target --max-alignments 2 q.fa t.fa
code_of clalign align --circular target --lower-bound 5 q.fa t.fa
code_of clalign align --circular target --lower-bound out.cla q.fa t.fa
code_of clalign align --quiet --circular target q.fa t.fa:1-100
code_of clalign align --quiet --circular target --format sam a.fa b.fa
code_of clalign align --quiet --circular target --format paf --output out.paf a.fa b.fa
