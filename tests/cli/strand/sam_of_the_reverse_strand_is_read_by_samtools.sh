need_program samtools
simulate_pair 5 3000
{ head -n 1 q.fa; tail -n +2 q.fa | tr -d '\n' | rev | tr ACGT TGCA; echo; } >r.fa
clalign align --quiet --strand reverse --format sam --output r.sam --format paf --output r.paf r.fa:101-2800 t.fa || exit
samtools quickcheck r.sam || fail quickcheck
samtools view r.sam | cut -f 2
samtools view -c -f 16 r.sam
[ "$(samtools view r.sam | cut -f 10)" = "$(tail -n +2 q.fa | tr -d '\n')" ] || fail "the letters are not turned"
# The clips are of the letters as they stand there: the first is what follows the query's end.
read -r length start stop < <(cut -f 2-4 r.paf)
cigar=$(samtools view r.sam | cut -f 6)
[[ $cigar == $((length - stop))S*[=XID]${start}S ]] || fail "clips of $cigar"
samtools view -b r.sam >r.bam || fail "no BAM"
# What samtools turns back is the record.
samtools fasta r.bam 2>/dev/null | tail -n +2 | tr -d '\n' | cmp - <(tail -n +2 r.fa | tr -d '\n') || fail "samtools fasta"
samtools calmd r.sam t.fa 2>complaints >/dev/null || fail calmd
grep -i different complaints && fail "NM or MD differ"
exit 0
