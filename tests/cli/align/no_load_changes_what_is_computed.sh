# The bound is found by counted work, so that runs beside each other compute what each does alone.
clalign simulate --length 200k --substitution-rate 0.2 --indel-rate 0.02 --output-query q.fa --output-target t.fa ||
  fail "no simulated pair"

computed() { # NUMBER OPTION...
  clalign align --quiet --mode global --score-only --format json --output "$1.json" "${@:2}" q.fa t.fa &&
    json .score .lower_bound .stages.sweep.cells "$1.json" >"$1.txt"
}

for number in 1 2 3 4 5 6 7 8; do computed "$number" & done
wait
computed 9 --threads 1
computed 10 --memory 64M
for number in 2 3 4 5 6 7 8 9 10; do cmp 1.txt "$number.txt" || fail "run $number"; done
cells=$(json .stages.sweep.cells 1.json)
((cells < 12000000000)) || fail "$cells of 40,000,000,000 cells"
echo "10 runs agree"
