. "$CASES/pairs.bash"
make_pairs 4 200
cp q.fa before.fa
# A list's files are known line by line.
code_of clalign batch --quiet --output q.fa pairs.tsv
code_of clalign batch --quiet --format json --output out.json --format paf --output ./q.fa pairs.tsv
# Even where nothing else of the line can be read.
printf 'before.fa:1\tt.fa:1\nbefore.fa\tq.fa:2:1-100\n' >later.tsv
code_of clalign batch --quiet --output q.fa later.tsv
code_of clalign batch --quiet --run-dir run --output t.fa pairs.tsv
code_of clalign batch --quiet --pairwise --output t.fa q.fa t.fa
code_of clalign batch --quiet --output pairs.tsv pairs.tsv
cmp q.fa before.fa || fail "the input was replaced"
# Others may be.
echo old >out.paf
clalign batch --quiet --output out.paf pairs.tsv && grep -c . out.paf
rm -r run
list_files | grep -v "fa$"
