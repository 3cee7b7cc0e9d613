. "$CASES/formats.bash"
need_biopython
need_program samtools
need_program bcftools
clalign simulate --seed 3 --length 1000000 --output-query q.fa --output-target t.fa || exit
try_formats million q.fa t.fa "$every_format"
samtools quickcheck million.bam || fail quickcheck
samtools stats million.bam | grep -P '^SN\t(bases mapped \(cigar\)|mismatches):' | cut -f 3 | wc -l
samtools calmd million.sam t.fa 2>complaints >/dev/null || fail calmd
grep -i different complaints && fail "NM or MD differ"
bcftools norm -c e -f t.fa million.vcf 2>&1 >/dev/null | sed 's/^Lines *//'
if command -v maf-convert >/dev/null; then
  maf-convert chain million.maf | tr '\t' ' ' | grep -v '^$' | cmp - <(tr '\t' ' ' <million.chain | grep -v '^$') || fail chain
fi
turned q.fa >r.fa
clalign align --quiet --strand reverse --format cla --output reverse.cla --format json --output region.json r.fa t.fa || exit
# shellcheck disable=SC2086
outputs_of region $every_format
clalign show --region target:400001-500000 "${outputs[@]}" reverse.cla || exit
# shellcheck disable=SC2086
read_back region r.fa t.fa $every_format
