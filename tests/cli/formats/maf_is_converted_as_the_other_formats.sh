# What maf-convert of LAST makes of MAF is what clalign writes, but for what it takes from elsewhere.
need_program maf-convert
need_program samtools
. "$CASES/formats.bash"
simulate_pair 8 2000
turned q.fa >r.fa
outputs_of out maf chain blast sam
clalign align --quiet --strand reverse "${outputs[@]}" r.fa t.fa || exit
# The chain, byte for byte, but for the kind of space and of number.
maf-convert chain out.maf | tr '\t' ' ' | grep -v '^$' >converted
tr '\t' ' ' <out.chain | grep -v '^$' | cmp - converted || fail chain
# maf-convert has no expected number, fewer digits of identity, and turns the query, where BLAST turns the target.
turn='BEGIN { OFS = "\t" } { print $1, $2, $4, $5, $6, $8, $7, $10, $9 }'
cmp <(maf-convert blasttab -n out.maf | awk "$turn") <(cut -f 1,2,4-10 out.blast) || fail "blast table"
# Its SAM has hard clips instead of soft ones.
cmp <(maf-convert sam -n out.maf | cut -f 2-4,6) <(samtools view out.sam | cut -f 2-4,6 | tr S H) || fail sam
grep -c '^s ' out.maf
