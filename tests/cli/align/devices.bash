# shellcheck shell=bash
# Read in by the cases that compare devices: PoCL, rusticl and whatever else `clalign devices` lists.

# compare_devices [OPTION...]: aligns a pair on each device, with the options on all but the first.
compare_devices() {
  local count device mode
  export RUSTICL_ENABLE=llvmpipe
  simulate_pair 5 700
  clalign devices --format json >devices.json || exit
  count=$(wc -l <devices.json)
  [ "$count" -ge 2 ] || skip "only $count OpenCL device"
  for mode in local global; do
    clalign align --quiet --mode $mode --device 0 --save first.cla --format pair --output first.txt q.fa t.fa || exit
    for ((device = 1; device < count; device++)); do
      clalign align --quiet --mode $mode --device $device "$@" --save next.cla --format pair --output next.txt \
        q.fa t.fa || fail "device $device"
      cmp first.cla next.cla || fail "device $device, $mode"
      # Only the head names the command line.
      cmp <(grep -v '^#' first.txt) <(grep -v '^#' next.txt) || fail "device $device, $mode"
    done
  done
  echo agreed
}
