simulate_pair 1 50
code_of clalign align --band -1 q.fa t.fa
code_of clalign align --band 5 --run-dir run q.fa t.fa
code_of clalign align --band 5 --max-alignments 2 q.fa t.fa
code_of clalign align --band 5 --circular query q.fa t.fa
code_of clalign align --band 5 --lower-bound 3 q.fa t.fa
code_of clalign align --band 5 --kernel vector32 q.fa t.fa
code_of clalign align --band 5 --memory 1K q.fa t.fa
code_of clalign align --band 5 --match 1000000 q.fa t.fa
list_files
