simulate_pair 1 50
code_of clalign align --max-alignments 0 q.fa t.fa
code_of clalign align --max-alignments 2 --mode global q.fa t.fa
code_of clalign align --max-alignments 2 --score-only q.fa t.fa
code_of clalign align --max-alignments 2 --run-dir run q.fa t.fa
code_of clalign align --max-alignments 2 --gap-placement left q.fa t.fa
# More is asked for than is claimed, and nothing reaches it: no error.
code_of clalign align --quiet --strand both --lower-bound 10 --min-score 1000 --max-alignments 2 --format paf q.fa t.fa
code_of clalign align --quiet --max-alignments 1 --mode global --score-only q.fa t.fa >/dev/null
list_files
