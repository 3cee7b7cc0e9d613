need_program samtools
fasta full ACGTACGT >full.fa
printf '>none\n' >none.fa
printf '>protein\nMKVLAWGHIKLMNPQRST\n' >protein.fa
: >nothing.fa
for mode in local global; do
  for pair in "full none" "none full" "none none"; do
    set -- $pair
    clalign align --quiet --allow-empty --mode $mode --save out.cla --format json --output out.json --format paf \
      --output out.paf --format sam --output out.sam --format pair --output out.txt --format cigar $1.fa $2.fa || exit
    jq -c '[.score, .query.start, .query.end, .target.start, .target.end, .columns, .cigar, .cells]' out.json
    cut -f 1-12 out.paf
    samtools view out.sam | cut -f 1-6,10
    grep -E '^(full|none) ' out.txt
    clalign verify out.cla $1.fa $2.fa
    clalign show --format cigar out.cla
    clalign align --quiet --allow-empty --mode $mode --score-only --save score.cla $1.fa $2.fa | jq -c '[.score, .target.end]'
    clalign verify score.cla $1.fa $2.fa
  done
done
echo "-- strands, gaps, bounds, types"
clalign align --quiet --allow-empty --mode global --strand reverse --format paf full.fa none.fa | cut -f 1-12
clalign align --quiet --allow-empty --mode global --strand both --gap-placement left --format json full.fa none.fa | jq -c '[.score, .query.strand, .cigar]'
clalign align --quiet --allow-empty --mode global --min-score -18 --format cigar full.fa none.fa | wc -c
clalign align --quiet --allow-empty --mode global --lower-bound -19 --format cigar full.fa none.fa
clalign align --quiet --allow-empty --mode global --format json none.fa protein.fa | jq -c '[.score, .type]'
clalign align --allow-empty --mode global --format cigar full.fa none.fa 2>&1 | grep -v time
echo "-- refused"
code_of clalign align full.fa none.fa
code_of clalign align --allow-empty full.fa nothing.fa
code_of clalign align --allow-empty full.fa none.fa:1-1
code_of clalign align --allow-empty --run-dir run full.fa none.fa
code_of clalign align --allow-empty --mode global --lower-bound -18 full.fa none.fa
code_of clalign align --quiet --allow-empty --mode global --strand both --lower-bound -18 full.fa none.fa
[ ! -e run ] || fail "a run folder is there"
