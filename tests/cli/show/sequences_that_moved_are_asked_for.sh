simulate_pair 1 400
clalign align --quiet --save a.cla --format cigar q.fa t.fa >first || exit
mkdir elsewhere
mv q.fa t.fa elsewhere
code_of clalign show --format cigar a.cla
clalign show --format cigar a.cla elsewhere/q.fa elsewhere/t.fa | cmp first - || exit
clalign align --quiet --save b.cla --format cigar - elsewhere/t.fa <elsewhere/q.fa >second || exit
cmp first second || exit
code_of clalign show b.cla
