. "$CASES/faults.bash"
make_reference 60000 "${slow[@]}"
mkdir small
mount -t tmpfs -o size=100k tmpfs small 2>/dev/null || skip "a tmpfs cannot be mounted here"
trap 'umount small' EXIT
clalign align --quiet "${slow[@]}" --special-rows 100 --disk 100M --run-dir small/run --format paf --output got.paf \
  --format cigar --output got.cigar --save got.cla q.fa t.fa
echo "exit $?"
[ -z "$(find . -name 'got.*')" ] || fail "there are results"
mount -o remount,size=10m small || fail "no remount"
clalign resume --quiet small/run || fail "cannot resume"
mv small/run run
check_results "a full disk and resume"
