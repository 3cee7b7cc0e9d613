. "$CASES/pairs.bash"
make_pairs 4 80
fasta bad ACGTACGTJJACGT >bad.fa
printf '>none\n>some\nACGTACGTAC\n' >empty.fa
: >nothing.fa
printf '@r\nACGT\n+\nII\n' >short.fq
fasta p MKVLAWEEQRRRLLKDDEFW >p.fa
mkdir folder
{
  head -n 1 pairs.tsv
  printf 'one column\n'
  printf 'missing.fa\tt.fa:t1\n'
  printf 'q.fa:q9\tt.fa:t1\n'
  printf 'q.fa:q1:50-9999\tt.fa:t1\n'
  printf 'q.fa\tt.fa:t1\n'
  sed -n 2p pairs.tsv
  printf 'q.fa:q1\tbad.fa\n'
  printf 'q.fa:q1\tempty.fa:none\n'
  printf 'q.fa:q1\tnothing.fa\n'
  printf 'q.fa:q1\tshort.fq\n'
  printf 'q.fa:q1\tfolder\n'
  printf 'q.fa:q1\tp.fa\n'
  printf '\tt.fa:t1\n'
  sed -n 3,4p pairs.tsv
} >bad.tsv
code_of clalign batch --quiet bad.tsv >got.paf
cat got.paf | tail -n 1
sed '$d' got.paf >got
clalign batch --quiet pairs.tsv | cmp - got || fail "other alignments"
# The first failure ends it, and leaves no file.
code_of clalign batch --quiet --fail-fast --output fast.paf bad.tsv
[ ! -e fast.paf ] || fail "there is a file"
# Sequences that cannot be paired with each other, of files.
code_of clalign batch --quiet --output pairwise.paf --pairwise q.fa empty.fa
wc -l <pairwise.paf
cat t.fa bad.fa >all.fa
code_of clalign batch --quiet --all-vs-all q.fa:q1 all.fa | wc -l
clalign batch --quiet --allow-empty --format json --all-vs-all q.fa:q1 empty.fa | jq -c .score
# A pair that one output cannot hold is in the others, and an input's error: two records of one name in SAM.
clalign simulate --length 100 --target-name chr1 --output-query x_q.fa --output-target x.fa
clalign simulate --length 107 --target-name chr1 --output-query y_q.fa --output-target y.fa
printf 'x.fa\tx.fa\ny.fa\ty.fa\n' >same_name.tsv
code_of clalign batch --quiet --format sam --output same.sam --format json --output same.json same_name.tsv
jq -c '[.score, .target.length]' same.json
grep -vc '^@' same.sam
# A bad line ends the query before it: what is left of that query has the best of its own.
code_of clalign batch --quiet --format paf --top 1 <(sed -n 1p pairs.tsv; echo none; sed -n 1p pairs.tsv) | wc -l
# What was finished, and is not there any more.
sed -n 1p pairs.tsv >shorter.tsv
printf 'q.fa:q1\tq.fa:q1\n' >>shorter.tsv
clalign batch --quiet --top 1 --run-dir run --output run.paf shorter.tsv
sed -i '$d' shorter.tsv
code_of clalign resume --quiet run
