simulate_pair 1 400
clalign align --format cigar --output out.txt q.fa t.fa || exit
clalign align --format cigar --output out.txt --quiet q.fa t.fa
