fasta q ACGTNACGTRACGTACGTAC >q.fa
fasta t ACGTAACGTGACGTNCGTAC >t.fa
score() {
  clalign align --quiet --format json "$@" q.fa t.fa >out.json && json .score .scoring.ambiguity .cigar out.json | xargs
}
# 17 matches; N with A, R with G, A with N.
score
score --ambiguity mismatch
score --ambiguity neutral
score --ambiguity expected
score --match 5 --mismatch -4 --gap-open 9 --gap-extend 1 --ambiguity expected
score --matrix EDNAFULL
score --mode global --ambiguity neutral
for kernel in vector8 vector16 vector32 group32; do score --ambiguity expected --kernel $kernel; done
clalign align --ambiguity neutral --format cigar --output out.txt q.fa t.fa 2>&1 | grep scoring
# Without ambiguous letters there is nothing to look up.
clalign align --quiet --explain --matrix EDNAFULL --format cigar <(fasta a ACGT) <(fasta b ACGT) 2>&1 | sed -n '/^scores/,/nothing to look up/p'
