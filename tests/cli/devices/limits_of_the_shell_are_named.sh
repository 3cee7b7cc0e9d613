# Limits of virtual memory, files and processor time: the limit is named, no driver blamed, nothing crashes.
simulate_pair 1 2000
clalign align --quiet --format cigar q.fa t.fa >wanted || exit
(ulimit -v 200000 && clalign help >/dev/null) 2>/dev/null || skip "this program needs more virtual memory by itself"
limited() {
  local words
  (
    ulimit -c 0
    ulimit -v "$1"
    clalign align --quiet --format cigar q.fa t.fa >found 2>words
  )
  local code=$?
  [ $code -eq 0 ] && cmp wanted found && return
  [ $code -eq 3 ] || fail "exit code $code with ulimit -v $1: $(cat words)"
  words=$(tail -n 1 words)
  [[ $words == clalign:*"virtual memory is limited to $(($1 / 1024)) MiB (ulimit -v)"* ]] || fail "ulimit -v $1: $words"
  [[ $words != *install* ]] || fail "ulimit -v $1: $words"
}
for kib in 100000 270000 340000 500000 1000000; do limited $kib; done
limited 200000
cat words >&2
(ulimit -v 200000 && clalign devices)
echo "exit $?"
(ulimit -n 16 && clalign align --quiet --format cigar q.fa t.fa) | cmp wanted - && echo "few files"
clalign simulate --unrelated --seed 1 --length 200k --output-query long_q.fa --output-target long_t.fa || exit
(ulimit -S -t 1 && clalign align --quiet --mode global --special-rows 0 --output out long_q.fa long_t.fa)
echo "exit $?"
[ ! -e out ] || fail "an unfinished output"
