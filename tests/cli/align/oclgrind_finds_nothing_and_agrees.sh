# The simulator checks every access of the kernels: races and bad memory. (Its --uninitialized knows too few
# instructions to be of use.)
need_program oclgrind
[ -z "${CLALIGN_SANITIZED:-}" ] || skip "oclgrind and AddressSanitizer both want to be loaded first"
simulate_pair 3 120
for mode in local global; do
  clalign align --quiet --mode $mode --save first.cla --format cigar --output first.txt q.fa t.fa || exit
  for kernel in group32 vector16; do
    oclgrind --data-races --check-api --log report.txt clalign align --quiet --mode $mode --kernel $kernel \
      --save next.cla --format cigar --output next.txt q.fa t.fa || fail "$kernel $mode"
    [ -s report.txt ] && { cat report.txt; fail "oclgrind reports errors of $kernel"; }
    cmp first.cla next.cla || fail "$kernel $mode"
  done
done
echo agreed
