clalign devices --format json >devices.json || exit
clalign devices >devices.txt || exit
jq -e '.index >= 0 and (.name | length > 0) and .compute_units >= 1 and .memory_bytes > 0' devices.json >/dev/null ||
  fail "a device without its facts"
[ "$(wc -l <devices.json)" -eq "$(grep -c '^[0-9]' devices.txt)" ] || fail "lists of different lengths"
head -n 1 devices.txt | grep -qF "$(head -n 1 devices.json | jq -r .name)" || fail "different names"
