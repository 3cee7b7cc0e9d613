# The second pair takes minutes. Job control, because a script's background jobs ignore SIGINT otherwise.
set -m
for signal in TERM INT; do
  clalign bench --quiet --json --sizes 200,3M --modes local >out.json 2>log &
  job=$!
  for ((tenths = 0; tenths < 600; tenths++)); do
    [ -s out.json ] && break
    sleep 0.1
  done
  sleep 1
  kill -$signal $job
  wait $job 2>/dev/null
  echo "$signal: exit $?, $(jq .query_length out.json)"
  cat log >&2
done
