[ -w /dev/full ] || skip "no /dev/full"
simulate_pair 1 500
code_of clalign align --quiet --format paf --output /dev/full --format json --output one.json --format cigar q.fa t.fa >cigar
json .cigar one.json | cmp - <(head -n 1 cigar) || exit
tail -n 1 cigar
# The first error is the command's; the others are warnings.
ln -s /dev/full full.png
code_of clalign align --quiet --save /dev/full --plot full.png --format sam --output two.sam q.fa t.fa
# A reader that goes away would end the command without a word.
{
  sleep 0.2
  clalign align --quiet --format json --output /dev/full --format cigar q.fa t.fa
  echo "exit $?" >code
} | :
cat code
# Across the origin of a circular record PAF has no positions.
fasta q ACGTTGCATTACGG >q.fa
fasta t TTACGGACGTTGCA >t.fa
code_of clalign align --quiet --mode global --circular query --format paf --output three.paf --format json --output three.json \
  q.fa t.fa
list_files
