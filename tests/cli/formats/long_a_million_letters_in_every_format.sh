. "$CASES/formats.bash"
need_biopython
need_program samtools
need_program bcftools
clalign simulate --seed 3 --length 1000000 --output-query q.fa --output-target t.fa || exit
try_formats million q.fa t.fa "$every_format"
if command -v maf-convert >/dev/null; then
  maf-convert chain million.maf | tr '\t' ' ' | grep -v '^$' | cmp - <(tr '\t' ' ' <million.chain | grep -v '^$') || fail chain
fi
turned q.fa >r.fa
try_formats reverse r.fa t.fa "bam maf chain vcf cla" --strand reverse
# shellcheck disable=SC2086
outputs_of region $every_format
clalign show --region target:400001-500000 "${outputs[@]}" reverse.cla || exit
# shellcheck disable=SC2086
read_back region r.fa t.fa $every_format
