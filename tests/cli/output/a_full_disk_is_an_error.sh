[ -w /dev/full ] || skip "no /dev/full"
simulate_pair 1 500
clalign align --quiet --format json q.fa t.fa >/dev/full
echo "exit $?"
code_of clalign align --quiet --format sam --output /dev/full q.fa t.fa
code_of clalign align --quiet --save /dev/full --format cigar --output out.txt q.fa t.fa
clalign help >/dev/full
echo "exit $?"
code_of clalign simulate --output-query /dev/full --output-target new.fa
clalign align --quiet --format json q.fa t.fa >&-
echo "exit $?"
list_files
