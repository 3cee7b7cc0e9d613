# A read of which the first letters are not the target's, and whose end passes the target's.
fasta read GGGGGGACGTTGCATTACGATCAGGA >q.fa
fasta genome CCATATCCACGTTGCATTACGATC >t.fa
for mode in local global semi-global overlap extend; do
  clalign align --quiet --mode $mode --format json q.fa t.fa >out.json || exit
  jq -c '[.mode, .score, .query.start, .query.end, .target.start, .target.end, .cigar]' out.json
done
for ends in query-start query-start,target-start,query-end target-end,query-start \
  target-start,target-end query-start,query-end,target-start,target-end; do
  clalign align --quiet --free-ends $ends --format json q.fa t.fa >out.json || exit
  jq -c '[.mode, .free_ends, .score, .query.start, .query.end, .target.start, .target.end, .cigar]' out.json
done
clalign align --quiet --explain --free-ends query-end,target-start --format cigar q.fa t.fa 2>&1 | grep '^free ends'
