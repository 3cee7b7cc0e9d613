simulate_pair 1 3000
code_of clalign align --device nosuchdevice --output out.txt q.fa t.fa
code_of clalign align --device 99 --output out.txt q.fa t.fa
code_of clalign align --memory 1K --output out.txt q.fa t.fa
code_of clalign align --device-memory 1K --output out.txt q.fa t.fa
list_files
