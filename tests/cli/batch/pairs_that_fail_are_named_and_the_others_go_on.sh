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
