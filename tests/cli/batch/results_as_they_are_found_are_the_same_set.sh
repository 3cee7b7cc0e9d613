. "$CASES/pairs.bash"
simulate_pair 99 3000
mv t.fa long_t.fa
mv q.fa long_q.fa
make_pairs 30 60
{ printf 'long_q.fa\tlong_t.fa\n'; cat pairs.tsv; } >all.tsv
clalign batch --quiet --output in_order.paf all.tsv
sort in_order.paf >want
for schedule in model fcfs static toss; do
  for devices in 0 0,0; do
    clalign batch --quiet --schedule $schedule --device $devices all.tsv | cmp - in_order.paf || fail "$schedule on $devices"
    clalign batch --quiet --schedule $schedule --device $devices --as-finished all.tsv | sort | cmp - want ||
      fail "$schedule on $devices, as finished"
  done
done
wc -l <want
