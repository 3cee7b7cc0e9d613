# As on a disk that is full: files may not become larger than 4 KiB, which a row does.
. "$CASES/faults.bash"
make_reference 20000 "${slow[@]}"
(
  ulimit -f 4
  begin "${slow[@]}"
)
echo "exit $?"
[ -z "$(find . -name 'got.*' -o -name '.*.tmp')" ] || fail "files were left"
clalign resume --quiet run || fail "cannot resume"
check_results "a limit and resume"
