clalign bench --quiet --json --sizes 300,200x500 --relation both --kernels vector8,vector32,group32 --repeat 4 --full >full.json || exit
clalign bench --quiet --json --sizes 300 --modes local >sweep.json || exit
cat >near.jq <<'END'
def near(a; b): (a - b | fabs) <= 1e-9 * (a | fabs);
def median: sort | if length % 2 == 1 then .[length / 2 | floor] else (.[length / 2] + .[length / 2 - 1]) / 2 end;
END
jq -e -n "$(cat near.jq)"'
  [inputs] | length > 0 and all(
    (.sweep_seconds_all | length) == .runs and (.seconds_all | length) == .runs and
    near(.sweep_seconds; .sweep_seconds_all | median) and .sweep_seconds_least == (.sweep_seconds_all | min) and
    near(.seconds; .seconds_all | median) and .seconds_least == (.seconds_all | min) and
    .sweep_seconds_least > 0 and .cells == .query_length * .target_length and .cells_computed > 0 and
    near(.gcups_raw; .cells_computed / .sweep_seconds / 1e9) and near(.gcups; .cells / .seconds / 1e9) and
    .peer == null and .compute_units >= 1 and (.device | length) > 0)' full.json sweep.json >/dev/null ||
  fail "figures that do not fit: $(cat full.json sweep.json)"
jq -e -n "$(cat near.jq)"'
  [inputs] | all(.full and near(.full_ratio; .seconds / .sweep_seconds) and .sweep_share > 0)' full.json >/dev/null ||
  fail "ratios that do not fit: $(cat full.json)"
jq -c '[.runs, .full, .full_ratio, .sweep_share, .kernel_asked, .seed, .scoring]' sweep.json
# Every kernel that was asked for by name ran, and all find the same score.
jq -e -n '[inputs] | all(.kernel == .kernel_asked) and
  (group_by([.query_length, .target_length, .relation, .mode]) | length == 8 and
   all(length == ([.[].kernel] | unique | length) and ([.[].score] | unique | length) == 1))' full.json >/dev/null ||
  fail "kernels that differ: $(cat full.json)"
jq -r -n '[inputs] | unique_by([.query_length, .target_length, .relation, .mode]) | .[] |
  "\(.query_length)x\(.target_length) \(.relation) \(.mode)"' full.json
jq -r 'keys_unsorted[]' sweep.json | sort | xargs
