# The read goes on where the genome ends, and the other way round.
need_program samtools
fasta read ACGTTGCATTACGATCAGGA >q.fa
fasta genome CCATATCCACGTTGCATTACGATC >t.fa
for pair in "q.fa t.fa" "t.fa q.fa"; do
  clalign align --quiet --mode overlap --format sam --output o.sam --format paf --save o.cla $pair || exit
  samtools quickcheck o.sam || fail quickcheck
  samtools view o.sam | cut -f 1-6
  samtools calmd o.sam "${pair#* }" 2>complaints >/dev/null || fail calmd
  grep -i different complaints && fail "NM or MD differ"
  clalign verify o.cla $pair
  clalign show --format json o.cla | jq -r '.mode, .cigar'
done
# On its reverse strand the read begins with TCCT.
clalign align --quiet --mode overlap --strand reverse --format paf q.fa t.fa
