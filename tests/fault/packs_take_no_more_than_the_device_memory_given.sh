. "$CASES/faults.bash"
need_failing_device
# Pairs of 200 letters: so many that their letters take most of what packs of all of them take.
clalign simulate --seed 5 --length 2400000 --indel-rate 0 --output-query one_q.fa --output-target one_t.fa ||
  fail "no simulated pair"
for side in q t; do
  grep -v '>' one_$side.fa | tr -d '\n' | fold -w 200 | awk '{ print ">" NR; print }' >$side.fa
done
# peak OPTION...: leaves in `most` how many bytes buffers had at once, in a batch with the results of the first one.
peak() {
  CLALIGN_MEMORY_MOST=bytes LD_PRELOAD=$FAILING_OPENCL clalign batch --quiet --threads 2 --score-only --pairwise \
    --output got.json "$@" q.fa t.fa || fail "$* fails"
  grep -o '^{"score".*"matches"' got.json >got.ends
  [ -e want.ends ] || cp got.ends want.ends
  cmp want.ends got.ends || fail "$* gives other results"
  most=$(cat bytes)
}
peak
all=$most
for percent in 90 60; do
  memory=$((all / 100 * percent))
  largest=0
  for _ in 1 2 3 4; do # how many pairs are there for the first pack depends on how busy the machine is
    peak --device-memory "$memory"
    [ "$most" -le "$memory" ] || fail "$most bytes of $memory"
    [ "$most" -le "$largest" ] || largest=$most
    [ "$largest" -ge $((memory / 2)) ] && break
  done
  [ "$largest" -ge $((memory / 2)) ] || fail "$largest bytes of $memory: nothing was packed"
done
echo bounded
