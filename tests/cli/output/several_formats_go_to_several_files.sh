simulate_pair 1 400
clalign align --quiet --format json --output out.json --format paf --output=out.paf --format cigar --save out.cla \
  --format sam --output out.sam --format pair --output out.txt q.fa t.fa >cigar || exit
list_files
json .cigar out.json | cmp - cigar || exit
[ "$(sed 's/.*cg:Z:\([^\t]*\).*/\1/' out.paf)" = "$(cat cigar)" ] || fail "PAF has another cigar"
[ "$(wc -l <out.paf)" -eq 1 ] || fail "PAF has more than a line"
for format in json paf cigar sam pair; do
  clalign show --format $format out.cla >shown.$format || fail "$format"
done
cmp shown.cigar cigar || exit
cmp shown.paf out.paf || exit
cmp <(grep -v '^@PG' shown.sam) <(grep -v '^@PG' out.sam) || exit
cmp <(grep -v '^#' shown.pair) <(grep -v '^#' out.txt) || exit
for key in .score .cigar .matches .mismatches .gap_opens .gap_letters .columns .scoring .query .target .exact .mode; do
  [ "$(jq -c $key out.json)" = "$(jq -c $key shown.json)" ] || fail "$key"
done
