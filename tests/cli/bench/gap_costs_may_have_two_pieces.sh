clalign bench --quiet --json --sizes 300 --modes local,global --relation related --repeat 1 --kernels default,group32 \
  --gap-first2 12 --gap-ext2 0 >two.json || exit
jq -c '.scoring' two.json | sort -u
jq -s -e '.[0].score == .[1].score and .[2].score == .[3].score' two.json >/dev/null || fail "kernels differ: $(cat two.json)"
clalign bench --quiet --sizes 100 --modes local --repeat 1 --gap-first2 12 --gap-ext2 0 | grep ^scores
clalign bench --quiet --sizes 100 --gap-first2 12
echo "exit $?"
clalign bench --quiet --sizes 100 --gap-first2 4 --gap-ext2 1
echo "exit $?"
if clalign bench --quiet --sizes 100 --peer --gap-first2 12 --gap-ext2 0 2>peer.log; then fail "compared"; fi
grep -q 'whose gap costs have one piece\|was built without it' peer.log || fail "$(cat peer.log)"
