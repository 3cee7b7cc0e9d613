need_program water
simulate_pair 11 1500
default_scores >matrix
water -asequence q.fa -bsequence t.fa -datafile matrix -gapopen 5 -gapextend 2 -outfile water.txt -auto || exit
needle -asequence q.fa -bsequence t.fa -datafile matrix -gapopen 5 -gapextend 2 -endweight -endopen 5 -endextend 2 \
  -outfile needle.txt -auto || exit
stretcher -asequence q.fa -bsequence t.fa -datafile matrix -gapopen 5 -gapextend 2 -outfile stretcher.txt -auto || exit
for mode in local:water global:needle global:stretcher; do
  clalign align --quiet --mode ${mode%:*} --format json q.fa t.fa >out.json || exit
  theirs=$(sed -n 's/^# Score: \([-0-9]*\).*/\1/p' ${mode#*:}.txt)
  [ "$theirs" = "$(json .score out.json)" ] || fail "${mode#*:} has $theirs, clalign $(json .score out.json)"
done
echo agreed
