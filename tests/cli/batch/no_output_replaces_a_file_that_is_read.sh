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
# A matrix, and what a run directory keeps.
printf ' A C G T\nA 1 -3 -3 -3\nC -3 1 -3 -3\nG -3 -3 1 -3\nT -3 -3 -3 1\n' >scores.txt
cp scores.txt scores_before.txt
code_of clalign batch --quiet --matrix scores.txt --gap-first 5 --gap-ext 2 --output scores.txt pairs.tsv
code_of clalign align --quiet --matrix scores.txt --gap-first 5 --gap-ext 2 --output scores.txt q.fa:1 t.fa:1
cmp scores.txt scores_before.txt || fail "the matrix was replaced"
# A path that bounds the score.
clalign align --quiet --format paf --output bound.paf --save bound.cla q.fa:q1 t.fa:t1 || fail "no path"
cp bound.paf bound_before.paf
cp bound.paf bound.svg
code_of clalign align --quiet --lower-bound bound.paf --format paf --output bound.paf q.fa:q1 t.fa:t1
code_of clalign align --quiet --lower-bound bound.cla --format paf --output out.paf --save ./bound.cla q.fa:q1 t.fa:t1
code_of clalign align --quiet --lower-bound bound.svg --format paf --output out.paf --plot bound.svg q.fa:q1 t.fa:t1
cmp bound.paf bound_before.paf || fail "the path was replaced"
rm bound.svg bound.paf bound.cla bound_before.paf
clalign batch --quiet --run-dir kept --output out.paf pairs.tsv || fail "no batch"
code_of clalign resume --quiet --output kept/batch.json kept
clalign resume --quiet --output again.paf kept && cmp out.paf again.paf || fail "the run directory is damaged"
rm -r kept scores.txt scores_before.txt again.paf
cmp q.fa before.fa || fail "the input was replaced"
# Others may be.
echo old >out.paf
clalign batch --quiet --output out.paf pairs.tsv && grep -c . out.paf
rm -r run
list_files | grep -v "fa$"
