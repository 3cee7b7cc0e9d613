simulate_pair 31 8000
{ head -n 1 q.fa; tail -n +2 q.fa | tr -d '\n' | cut -c 3001-7000; } >part.fa
for how in "--mode semi-global" "--mode overlap" "--mode extend" "--free-ends query-start,target-end" \
  "--free-ends query-end"; do
  for pair in "part.fa t.fa" "q.fa t.fa"; do
    clalign align --quiet $how --lower-bound off --save one.cla --output none $pair || exit
    for more in "--lower-bound auto" "--lower-bound one.cla" "--kernel vector32" "--special-rows 0" \
      "--set lanes=16 --set tile=64"; do
      clalign align --quiet $how $more --save two.cla --output none $pair || fail "$how $more $pair"
      cmp one.cla two.cla || fail "$how $more $pair: another alignment"
    done
  done
done
echo same
