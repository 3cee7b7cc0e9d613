# needle without weights for ends charges for no gap at an end of either sequence: our overlap.
need_program needle
default_scores >matrix
for seed in 21 22 23; do
  simulate_pair $seed 1500
  { head -n 1 q.fa; tail -n +2 q.fa | tr -d '\n' | tail -c +$((300 * (seed - 20))); echo; } >cut.fa
  needle -asequence cut.fa -bsequence t.fa -datafile matrix -gapopen 5 -gapextend 2 -outfile needle.txt -auto || exit
  theirs=$(sed -n 's/^# Score: \([-0-9]*\).*/\1/p' needle.txt)
  for order in "cut.fa t.fa" "t.fa cut.fa"; do
    clalign align --quiet --mode overlap --format json $order >out.json || exit
    [ "$theirs" = "$(json .score out.json)" ] || fail "needle has $theirs, clalign $(json .score out.json)"
  done
done
echo agreed
