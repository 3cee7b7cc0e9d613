simulate_pair 1 400
clalign align --max-alignments 3 --output out q.fa t.fa
