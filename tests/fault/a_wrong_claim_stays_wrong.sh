# Rows that were pruned by a bound that no alignment reaches must not be gone on with as if they were sound.
. "$CASES/faults.bash"
relation=()
make_reference 20000
code_of begin --lower-bound 19999
code_of clalign resume --quiet run
code_of clalign resume --quiet --lower-bound off run
list_files | grep got
# One that is right does no harm.
rm -rf run
begin --lower-bound "$(clalign align --quiet --score-only q.fa t.fa | jq .score)" || fail "refused"
check_results "a claim that is right"
