# The pair takes minutes; the signal comes when the plan was printed and the run has begun. Job control, because
# a script's background jobs ignore SIGINT otherwise.
clalign simulate --length 3000000 --output-query q.fa --output-target t.fa || exit
set -m
for signal in TERM INT; do
  : >log
  clalign align --explain --format pair --output out.txt --save out.cla q.fa t.fa 2>log &
  job=$!
  for ((tenths = 0; tenths < 600; tenths++)); do
    grep -q memory log && break
    sleep 0.1
  done
  sleep 1.5
  kill -$signal $job
  wait $job 2>/dev/null
  echo "$signal: exit $?"
  tail -n 1 log >&2
  rm log
  list_files
done
