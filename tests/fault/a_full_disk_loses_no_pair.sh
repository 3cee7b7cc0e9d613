. "$CASES/batches.bash"
# As on a disk that is full: files may not become larger than 4 KiB, the journal or an output.
make_batch 60 300
(
  ulimit -f 4
  "${batch[@]}" pairs.tsv
)
echo "exit $?"
[ -z "$(find . -name 'got.*' -o -name '.*.tmp')" ] || fail "files were left"
clalign resume --quiet run || fail "no resume"
check_batch "a limit and resume"
rm -rf run
# Outputs on a full disk, and the run directory on another one.
mkdir small
mount -t tmpfs -o size=8k tmpfs small 2>/dev/null || skip "a tmpfs cannot be mounted here"
trap 'umount small' EXIT
clalign batch --quiet --run-dir run --format paf --output small/got.paf pairs.tsv
echo "exit $?"
[ -z "$(ls -A small)" ] || fail "files were left: $(ls -A small)"
[ "$(stat -c %s run/journal.clj)" -gt 4000 ] || fail "finished pairs were lost"
clalign resume --quiet --format paf --output "$PWD/got.paf" run || fail "no resume"
cmp want.paf got.paf || fail "other alignments"
rm -rf run
# The run directory on the full disk.
clalign batch --quiet --run-dir small/run --format paf --output got.paf pairs.tsv
echo "exit $?"
mount -o remount,size=1m small || fail "no remount"
clalign resume --quiet small/run || fail "no resume"
cmp want.paf got.paf || fail "other alignments"
