# The signal comes while the first file is written, which takes a few tenths of a second.
clalign simulate --length 2000000 --output-query q.fa --output-target other.fa || exit
clalign align --quiet --mode global --band 64 --save a.cla --format cigar --output a.cigar q.fa q.fa || exit
clalign show --format pair --output whole a.cla || exit
set -m
for signal in TERM INT; do
  clalign show --format pair --output first --format pair --output second a.cla 2>/dev/null &
  job=$!
  for ((hundredths = 0; hundredths < 6000; hundredths++)); do
    compgen -G '.clalign-*' >/dev/null && break
    sleep 0.01
  done
  kill -$signal $job
  wait $job 2>/dev/null
  compgen -G '.clalign-*' && fail "a part of a file is left"
  [ -e first ] || fail "the first file is not finished"
  for file in first second; do
    [ ! -e $file ] || cmp <(grep -v '^#' $file) <(grep -v '^#' whole) || exit
    rm -f $file
  done
done
