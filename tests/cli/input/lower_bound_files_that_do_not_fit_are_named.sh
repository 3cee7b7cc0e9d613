# PAF and SAM of other sequences, of other lengths, cut off, or of another format.
fasta q ACGTACGTAC >q.fa
fasta t ACGTCGTAC >t.fa
paf() { printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t9\t10\t60%s\n' "$@"; }
sam() { printf '@SQ\tSN:%s\tLN:%s\n%s\t%s\t%s\t%s\t60\t%s\t*\t0\t0\t*\t*\n' "$@"; }
try() { code_of clalign align --quiet --score-only --lower-bound "$1" q.fa t.fa; }
cigar=$'\tcg:Z:4M1I5M'

paf q 10 0 10 + t 9 0 9 "$cigar" >good.paf
sam t 9 q 0 t 1 4M1I5M >good.sam
for file in good.paf good.sam; do
  clalign align --quiet --score-only --mode global --lower-bound $file q.fa t.fa | jq .score
done
paf other 10 0 10 + t 9 0 9 "$cigar" >bad.paf && try bad.paf
paf q 10 0 10 - t 9 0 9 "$cigar" >bad.paf && try bad.paf
paf q 11 0 10 + t 9 0 9 "$cigar" >bad.paf && try bad.paf
paf q 10 0 10 + t 9 0 9 "" >bad.paf && try bad.paf
paf q 10 0 9 + t 9 0 9 "$cigar" >bad.paf && try bad.paf
paf q 10 1 11 + t 9 0 9 "$cigar" >bad.paf && try bad.paf
paf q 10 0 10 + t 9 0 9 $'\tcg:Z:4M1I5' >bad.paf && try bad.paf
paf q 10 0 10 + t 9 0 9 $'\tcg:Z:4M1I99999999999999999999M' >bad.paf && try bad.paf
printf 'q\t10\t0\n' >bad.paf && try bad.paf
paf q 10 0 10 + t 9 0 9 "$cigar" | gzip -c | head -c 40 >bad.paf.gz && try bad.paf.gz
sam t 9 other 0 t 1 4M1I5M >bad.sam && try bad.sam
sam t 9 q 16 t 1 4M1I5M >bad.sam && try bad.sam
sam t 9 q 0 t 1 4M1I4M >bad.sam && try bad.sam
sam t 12 q 0 t 1 4M1I5M >bad.sam && try bad.sam
sam t 9 q 0 t 2 4M1I5M >bad.sam && try bad.sam
try q.fa
try /dev/null
try .
clalign align --quiet --score-only --lower-bound off --format json q.fa t.fa >/dev/null
clalign align --quiet --save a.cla --format cigar --output a.cigar q.fa t.fa
code_of clalign align --quiet --score-only --lower-bound a.cla t.fa q.fa
head -c 60 a.cla >cut.cla && try cut.cla
