# Repeats: many alignments cross. Pairs of letters, from the CIGARs, as "query target" positions.
pairs() {
  jq -r '[.query.start, .target.start, .cigar] | @tsv' "$1" | awk '{
    i = $1; j = $2; rest = $3
    while (match(rest, /^[0-9]+[=XID]/)) {
      n = substr(rest, 1, RLENGTH - 1) + 0; kind = substr(rest, RLENGTH, 1); rest = substr(rest, RLENGTH + 1)
      for (k = 0; k < n; k++) { if (kind != "D") i++; if (kind != "I") j++; if (kind ~ /[=X]/) print i, j }
    }
  }'
}
unit=ACGGTCATTGCAGGT
fasta tandem "$unit$unit${unit/GG/G}$unit" >tandem.fa
fasta other "${unit/TT/TGT}$unit$unit" >other.fa
clalign align --quiet --max-alignments 12 --format json tandem.fa other.fa >out.json || exit
pairs out.json >all
echo "$(wc -l <out.json) alignments"
[ "$(sort -u all | wc -l)" = "$(wc -l <all)" ] || fail "a pair is used twice"
jq .score out.json >scores
sort -rnc scores || fail "scores rise"
# The first is what there is without the option; each reads back, verifies and shows.
clalign align --quiet --format cigar tandem.fa other.fa >first.txt
clalign align --quiet --max-alignments 12 --save all.cla --format cigar tandem.fa other.fa >cigars.txt
head -n 1 cigars.txt | cmp - first.txt
clalign show all.cla --format cigar | cmp - cigars.txt
clalign verify all.cla tandem.fa other.fa | grep -c OK
# Fewer than were asked for, or none but the empty one.
fasta a AAAA >a.fa
fasta c CCCC >c.fa
clalign align --quiet --max-alignments 5 --format json a.fa c.fa | jq -c '[.score, .cigar]'
clalign align --quiet --max-alignments 5 --format json a.fa a.fa | jq -c '[.score, .cigar]'
clalign align --quiet --max-alignments 12 --min-score 20 --format json tandem.fa other.fa | jq -c 'select(.score < 20)'
# Many crossing alignments, with gap costs of one and of two pieces.
fasta q CACCAAACCCCCCCCAAACCCACCCCCCAAAA >q.fa
fasta t CACCCCCCCAAACAAAACAACAACAAAAACACCCAACAC >t.fa
fasta qa AGCAGGCCCGCCGAGAAACGGGGACAAGAACCC >qa.fa
fasta ta AAACCGGAACACCGGGGGAGAACCGCAAGGACAGCCA >ta.fa
for pair in "q.fa t.fa" "qa.fa ta.fa"; do
  for pieces in "" "--gap-first2 3 --gap-ext2 0"; do
    clalign align --quiet --max-alignments 25 --match 2 --mismatch -3 --gap-first 2 --gap-ext 1 $pieces --format json $pair >many.json || exit
    pairs many.json >all
    [ "$(sort -u all | wc -l)" = "$(wc -l <all)" ] || fail "$pair $pieces: a pair is used twice"
  done
done
