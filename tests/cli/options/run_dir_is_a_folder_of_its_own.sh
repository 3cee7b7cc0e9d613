simulate_pair 3 400
mkdir mine empty
echo letters >mine/thesis.txt
code_of clalign align --quiet --format cigar --run-dir mine q.fa t.fa
ls -A mine
code_of clalign align --quiet --format cigar --output a.txt --run-dir empty q.fa t.fa
code_of clalign align --quiet --format cigar --output b.txt --run-dir empty q.fa t.fa
code_of clalign resume empty --quiet --format cigar --output b.txt
cmp a.txt b.txt && echo same
