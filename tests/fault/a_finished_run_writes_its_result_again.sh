. "$CASES/faults.bash"
relation=()
make_reference 20000
begin || fail "no run"
check_results "a run in a folder"
clalign resume --quiet run || fail "cannot resume"
check_results "resuming a finished run"
clalign resume --quiet --kernel vector32 --format paf --output other.paf run || fail "cannot resume"
cmp want.paf other.paf
find . -name 'got.*'
# From another folder: names are the first run's.
mkdir elsewhere
(cd elsewhere && clalign resume --quiet ../run) || fail "cannot resume from elsewhere"
check_results "resuming from elsewhere"
(cd elsewhere && code_of clalign resume --quiet --save x.cla ../run)
# A score alone, and one that is zero.
clalign align --quiet --score-only --run-dir score q.fa t.fa | jq .score
clalign resume --quiet score | jq .score
fasta a AAAA >a.fa
fasta c CCCC >c.fa
clalign align --quiet --run-dir zero --format json a.fa c.fa | jq -c '[.score, .cigar]'
clalign resume --quiet zero | jq -c '[.score, .cigar]'
clalign align --quiet --mode global --run-dir global --format cigar a.fa c.fa
clalign resume --quiet global
