simulate_pair 1 50
code_of clalign align --max-alignments 0 q.fa t.fa
code_of clalign align --max-alignments 2 --mode global q.fa t.fa
code_of clalign align --max-alignments 2 --score-only q.fa t.fa
code_of clalign align --max-alignments 2 --run-dir run q.fa t.fa
code_of clalign align --quiet --max-alignments 1 --mode global --score-only q.fa t.fa >/dev/null
list_files
