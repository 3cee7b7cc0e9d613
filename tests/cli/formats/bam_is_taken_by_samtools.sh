need_program samtools
. "$CASES/formats.bash"
simulate_pair 5 3000
turned q.fa >r.fa
clalign align --quiet --strand reverse --format sam --output out.sam --format bam --output out.bam r.fa:101-2800 t.fa || exit
samtools quickcheck -v out.bam || fail quickcheck
# The same record, in the file and through a pipe.
cmp <(samtools view --no-PG -h out.sam) <(samtools view --no-PG -h out.bam) || fail "SAM and BAM differ"
clalign align --quiet --strand reverse --format bam r.fa:101-2800 t.fa | samtools view | cmp - <(samtools view out.sam) || fail pipe
samtools stats out.bam | grep -P '^SN\t(sequences|reads mapped|reads unmapped|mismatches):'
samtools calmd -b out.bam t.fa 2>complaints | samtools quickcheck - || fail calmd
grep -i different complaints && fail "NM or MD differ"
# Sorted, indexed and asked for a region.
samtools sort -o sorted.bam out.bam && samtools index sorted.bam && samtools view -c sorted.bam target:1000-1100
samtools view -H out.bam | grep '^@PG' | grep -c 'CL:clalign align --quiet --strand reverse'
for time in 1 2; do clalign align --quiet --format bam q.fa t.fa >"again.$time"; done
cmp again.1 again.2 || fail "BAM varies"
fasta a AAAA >a.fa
fasta c CCCC >c.fa
clalign align --quiet --format bam a.fa c.fa | samtools view
clalign align --quiet --format bam q.fa t.fa >/dev/full
echo "exit $?"
