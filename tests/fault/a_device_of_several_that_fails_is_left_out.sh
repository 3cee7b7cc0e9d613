. "$CASES/faults.bash"
need_failing_device
make_reference 12000 "${slow[@]}"
several=("${slow[@]}" --device 0,0,0 --threads 1 --format json --output got.json)
lost=0

# lose FAULT [OPTION...]: a run on three devices of which one fails.
lose() {
  rm -rf run got.*
  with_failing "$1:one" begin "${several[@]}" "${@:2}" 2>err || fail "$*: exit $? and: $(cat err)"
  if jq -e .lost_devices got.json >/dev/null; then
    lost=$((lost + 1))
    grep -q 'is left out, and the other devices do its work: .*CL_' err || fail "$*: no note but: $(cat err)"
  fi
  rm got.json
  check_results "$* on one of three devices"
}

for fault in clEnqueueNDRangeKernel:{1,6,100,400,700,1000,1300}:-5 clEnqueueReadBuffer:{3,60,150}:-5 clCreateBuffer:{10,33}:-4; do
  lose "$fault"
done
[ $lost -ge 8 ] || fail "only $lost devices were lost in sweeps"
# The traceback sweeps again where no rows were kept: in the last of these launches, which the first device has alone.
lost=0
launches=$(CLALIGN_FAIL=clEnqueueNDRangeKernel:1000000:-5 CLALIGN_FAIL_COUNT=count LD_PRELOAD=$FAILING_OPENCL \
  clalign align --quiet "${several[@]}" --special-rows 0 q.fa t.fa && cat count)
for before in 5 40 300; do
  lose "clEnqueueNDRangeKernel:$((launches - before)):-5" --special-rows 0
done
[ $lost -ge 2 ] || fail "only $lost devices were lost in tracebacks"
echo same
