# The same device, opened several times, once with fewer threads: whatever computes, the bytes are the same.
clalign simulate --seed 3 --length 30000 --substitution-rate 0.08 --output-query q.fa --output-target t.fa ||
  fail "no simulated pair"
outputs=(--format paf --output got.paf --format cigar --output got.cigar --save got.cla)
for options in "" "--lower-bound off" "--mode global --kernel vector32"; do
  # shellcheck disable=SC2086
  clalign align --quiet $options --format paf --output want.paf --format cigar --output want.cigar --save want.cla \
    q.fa t.fa || fail "no alignment with: $options"
  for devices in 0,0 "all+0,0 --threads 1"; do
    # shellcheck disable=SC2086
    clalign align --quiet $options --device $devices "${outputs[@]}" q.fa t.fa || fail "no alignment on $devices"
    for kind in paf cigar cla; do cmp want.$kind got.$kind || fail "$devices, $options: another $kind"; done
  done
done
clalign align --explain --quiet --lower-bound off --device 0,0,0 --score-only q.fa t.fa 2>plan >result.json || fail "no score"
[ "$(grep -A3 '^devices' plan | grep -c 'rows in multiples of\|blocks,')" -eq 3 ] || fail "the plan: $(cat plan)"
[ "$(jq -r .device result.json | grep -o ' + ' | wc -l)" -eq 2 ] || fail "the devices: $(jq .device result.json)"
jq -e 'has("lost_devices") | not' result.json >/dev/null || fail "a device was lost"
# A few rows keep one device busy at most, and only that one is named.
clalign align --quiet --lower-bound off --device 0,0,0 --score-only q.fa:1-50 t.fa >result.json || fail "no score of few rows"
[ "$(jq -r .device result.json | grep -c ' + ')" -eq 0 ] || fail "the device of few rows: $(jq .device result.json)"
