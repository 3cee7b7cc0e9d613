. "$CASES/pairs.bash"
[ -w /dev/full ] || skip "no /dev/full"
make_pairs 40 300
for format in paf sam bam json; do
  code_of clalign batch --quiet --format $format --output /dev/full pairs.tsv
  clalign batch --quiet --format $format pairs.tsv >/dev/full
  echo "exit $?"
done
code_of clalign batch --quiet --save nowhere/saved pairs.tsv
code_of clalign batch --quiet --output nowhere/out.paf pairs.tsv
# Who reads the first lines only is content.
clalign batch --quiet --format json --all-vs-all q.fa t.fa | head -n 1 | jq -r .query.name
# What was finished is kept where there is a folder for it.
code_of clalign batch --quiet --run-dir run --format json --output /dev/full pairs.tsv
clalign resume --quiet --format paf --output "$PWD/out.paf" run || fail "no resume"
clalign batch --quiet pairs.tsv | cmp - out.paf || fail "other alignments"
list_files | grep -v fa
