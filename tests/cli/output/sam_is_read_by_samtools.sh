need_program samtools
simulate_pair 1 3000
clalign align --quiet --format sam --output out.sam --format cigar q.fa t.fa >cigar || exit
samtools quickcheck out.sam || fail quickcheck
samtools view -c out.sam
samtools view out.sam | cut -f 1,2,3
[ "$(samtools view out.sam | cut -f 6 | sed 's/[0-9]*S//g')" = "$(cat cigar)" ] || fail "another cigar"
samtools view -b out.sam >out.bam || fail "no BAM"
# calmd computes NM and MD anew from the target and says when ours differ.
samtools calmd out.sam t.fa 2>complaints >/dev/null || fail calmd
grep -i different complaints && fail "NM or MD differ"
exit 0
