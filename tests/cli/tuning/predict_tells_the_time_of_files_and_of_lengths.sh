fasta q "$(printf 'ACGT%.0s' {1..25})" >q.fa
fasta t "$(printf 'ACGT%.0s' {1..50})" >t.fa
mkdir shipped
export CLALIGN_TUNING_PATH=$PWD/shipped
shipped_record >shipped/any.txt
clalign predict --score-only q.fa t.fa:11-110 | grep -v ^device || exit
# Both strands are two sweeps.
clalign predict --score-only --strand both q.fa t.fa:11-110 | grep -v ^device || exit
clalign predict --json --strand both --lengths 200k,200k >predicted.json || exit
json .strand .cells ".sweep_seconds + 0" predicted.json # jq 1.7 keeps the .0 of numbers that it only prints
clalign predict --mode global --lengths 1k,200k | grep -v ^device | sed -E '/estimate/s/[0-9].* s,/... s,/' || exit
clalign predict --json --lengths 200k,200k >predicted.json || exit
json .mode .query_length .target_length .cells .sweep_seconds .score_only .kernel .reason predicted.json
json '(.seconds - .sweep_seconds - .traceback_seconds) / .seconds | . < 1e-4 and . > -1e-4' '.traceback_seconds > 0' '.device | length > 0' predicted.json
