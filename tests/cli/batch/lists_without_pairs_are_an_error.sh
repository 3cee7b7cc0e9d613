: >empty.tsv
printf '# nothing\n\n' >comments.tsv
mkdir folder
head -c 300 /dev/urandom | gzip | head -c 200 >cut.tsv.gz
simulate_pair 1 50
for list in empty.tsv comments.tsv folder missing.tsv cut.tsv.gz; do code_of clalign batch --output out.paf "$list"; done
# Sequences where a list should be, one record with a tab in its name.
printf '>one\tof two\nACGT\n>two\nACGA\n' | gzip >fasta.tsv
printf '\n@one\nACGT\n+\nIIII\n' >fastq.tsv
for list in fasta.tsv fastq.tsv; do code_of clalign batch --run-dir run --output out.paf "$list"; done
gunzip <fasta.tsv | code_of clalign batch -
[ ! -e run ] || fail "there is a run directory"
: >empty.fa
code_of clalign batch --output out.paf --all-vs-all empty.fa t.fa
code_of clalign batch --output out.paf --all-vs-all q.fa
code_of clalign batch --output out.paf --pairwise missing.fa t.fa
[ ! -e out.paf ] || fail "there is an output"
