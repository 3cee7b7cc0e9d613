simulate_pair 1 400
clalign align --quiet --save a.cla --format cigar --output a.txt q.fa t.fa || exit
code_of clalign verify a.cla q.fa t.fa
sed '2s/^./N/' q.fa >changed.fa
code_of clalign verify a.cla changed.fa t.fa
code_of clalign verify a.cla t.fa q.fa
code_of clalign show a.cla changed.fa t.fa
