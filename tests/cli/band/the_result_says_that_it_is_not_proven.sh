simulate_pair 2 3000
clalign align --band 400 --save narrow.cla --format json --output narrow.json q.fa t.fa
jq -c '[.exact, .band, .gcups]' narrow.json
clalign show narrow.cla --format json | jq -c '[.exact, .band]'
clalign verify narrow.cla q.fa t.fa | cut -d ' ' -f 1
# Wide enough it is the alignment that there is without, in every mode.
for mode in local global semi-global overlap extend; do
  clalign align --quiet --mode $mode --format cigar q.fa t.fa >all.txt
  clalign align --quiet --mode $mode --band 3000 --format cigar q.fa t.fa | cmp - all.txt
done
clalign align --quiet --format json q.fa t.fa | jq -c '[.exact, has("band")]'
# A band that cannot hold the best alignment gives a worse one.
letters=$(tail -n +2 q.fa | tr -d '\n')
fasta moved "ACGTACGTTGCATTGCCATGCAAGGTTACCGGATATCGCGATTACAGG${letters:0:600}" >moved.fa
fasta first "${letters:0:600}ACGTACGTTGCATTGCCATGCAAGGTTACCGGATATCGCGATTACAGG" >first.fa
best=$(clalign align --quiet --score-only first.fa moved.fa | jq .score)
wide=$(clalign align --quiet --band 48 --score-only first.fa moved.fa | jq .score)
narrow=$(clalign align --quiet --band 20 --score-only first.fa moved.fa | jq .score)
[ "$best" = "$wide" ] || fail "$best, $wide"
[ "$narrow" -lt "$best" ] || fail "$narrow, $best"
