# The result is the same with every bound; what cannot be one is refused.
need_program samtools
simulate_pair 3 8000
clalign align --quiet --lower-bound off --save a.cla --format paf --output a.paf --format sam --output a.sam \
  --format cigar --output a.cigar q.fa t.fa || exit
samtools view -b -o a.bam a.sam || exit
gzip -c a.paf >a.paf.gz
cp a.paf auto # a file's name wins over a word
for bound in auto off -7 5000 a.paf a.paf.gz a.sam a.bam a.cla; do
  clalign align --quiet --lower-bound $bound --format cigar q.fa t.fa | cmp - a.cigar || fail "$bound"
done
rm auto
clalign align --quiet --lower-bound auto --format cigar q.fa t.fa | cmp - a.cigar || fail "auto"
for mode in local global; do
  for bound in off auto a.cla; do
    clalign align --quiet --mode $mode --lower-bound $bound --format cigar q.fa:1001-7000 t.fa:501-6500 | cksum
  done | sort -u | wc -l
done
echo "-- refused"
code_of clalign align --lower-bound Auto q.fa t.fa
code_of clalign align --lower-bound 99999999999999999999 q.fa t.fa
code_of clalign align --lower-bound 1e6 q.fa t.fa
code_of clalign align --lower-bound "" q.fa t.fa
