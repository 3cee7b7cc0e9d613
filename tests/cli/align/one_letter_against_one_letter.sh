fasta q A >q.fa
fasta t A >t.fa
fasta u C >u.fa
for mode in local global; do
  for other in t.fa u.fa; do
    clalign align --quiet --mode $mode --format json q.fa $other >out.json || exit
    echo "$mode $other $(json .score .cigar out.json | xargs)"
  done
done
