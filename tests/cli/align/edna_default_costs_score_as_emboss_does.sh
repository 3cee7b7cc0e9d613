# EMBOSS' defaults: EDNAFULL, 10 for a gap's first letter, 0.5 for each further one. EMBOSS 6.6 computes in floats, exact here.
need_program water
need_program needle
for seed in 1 3 5 6 8; do
  simulate_pair $seed $((seed * 90))
  [ $seed -gt 5 ] && sed '2s/A/R/3;2s/C/N/5;3s/G/K/2' q.fa >n.fa && mv n.fa q.fa
  water -asequence q.fa -bsequence t.fa -outfile water.txt -auto || exit
  needle -asequence q.fa -bsequence t.fa -endweight -outfile needle.txt -auto || exit
  for mode in local:water global:needle; do
    clalign align --quiet --mode ${mode%:*} --matrix EDNAFULL --format json q.fa t.fa >out.json || exit
    theirs=$(sed -n 's/^# Score: \([-0-9.]*\).*/\1/p' ${mode#*:}.txt)
    [ "${theirs%.0}" = "$(json .score out.json)" ] ||
      fail "${mode#*:} has $theirs, clalign $(json .score out.json), seed $seed"
    json .score out.json >>scores
  done
done
grep -c '\.5$' scores | grep -qx 0 && fail "no score has a fraction"
echo agreed
