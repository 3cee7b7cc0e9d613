. "$CASES/pairs.bash"
need_program samtools
need_program bcftools
make_pairs 5 200
{ cat pairs.tsv; printf 'q.fa:q2\tt.fa:t1\n'; sed -n 3p pairs.tsv; } >all.tsv
formats=(json pair srspair paf sam bam cigar blast blast7 maf fasta chain vcf)
arguments=()
for format in "${formats[@]}"; do arguments+=(--format $format --output out.$format); done
clalign batch --quiet --strand both "${arguments[@]}" --save saved all.tsv || exit
# What each pair has by itself, less the heads.
each() { align_each all.tsv --strand both --format "$1"; }
for format in json paf cigar blast fasta; do
  if [ $format = json ]; then
    jq -c '[.score, .cigar, .query.name, .target.name]' out.json >got
    each json | jq -c '[.score, .cigar, .query.name, .target.name]' | cmp - got || fail json
  else
    each $format | cmp - out.$format || fail "$format"
  fi
done
each maf | sed '/^#/d; /^$/d' >want
sed '/^#/d; /^$/d' out.maf | cmp - want || fail maf
grep -c '##maf' out.maf
for format in pair srspair; do
  each $format | grep '^[^#]' >want
  grep '^[^#]' out.$format | cmp - want || fail "$format"
  grep -c 'Program: clalign' out.$format
done
grep '^# ' out.blast7 | sort | uniq -c | awk '/hits|processed/ { $1 = $1; print }'
grep '^chain' out.chain | awk '{ print $NF }' | tr '\n' ' '
echo
each sam | grep -v '^@' >want
grep -v '^@' out.sam | cmp - want || fail sam
grep '^@SQ' out.sam | cut -f 2 | tr '\n' ' '
grep -c '^@PG' out.sam
samtools view --no-PG out.bam | cmp - want || fail bam
samtools quickcheck out.bam || fail "a bam that samtools does not take"
samtools view --no-PG -H out.bam | grep -v '^@PG' >head
grep '^@' out.sam | grep -v '^@PG' | cmp - head || fail "heads"
each vcf | grep -v '^#' | cut -f 1,2,4,5 >want
bcftools view --no-version -H out.vcf | cut -f 1,2,4,5 | cmp - want || fail vcf
bcftools query -f '%INFO/QNAME\n' out.vcf | uniq | tr '\n' ' '
echo
# Each pair by itself is there, too.
list_files | grep -c '^saved/.*cla$'
clalign verify saved/00000006.cla q.fa:q2 t.fa:t1 | cut -d' ' -f1
clalign show --format paf saved/00000004.cla | cmp - <(sed -n 4p out.paf)
# One name for two sequences is no reference.
sed 's/>t2/>t1/' t.fa >renamed.fa
printf 'q.fa:q1\tt.fa:t1\nq.fa:q2\tother.fa\nq.fa:q3\tt.fa:t3\n' >names.tsv
fasta t1 ACGTAGCTAGACTAGGATCATCTACGA >other.fa
code_of clalign batch --quiet --format bam --output names.bam names.tsv
samtools view -c names.bam
