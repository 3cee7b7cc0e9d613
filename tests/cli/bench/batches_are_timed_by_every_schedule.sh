clalign bench --quiet --json --batch 25 --repeat 2 --timeline line.svg >batch.json || exit
jq -r '[.schedule, .pairs, .runs, .full, .mode, .related] | map(tostring) | join(" ")' batch.json
jq -e -n 'def near(a; b): (a - b | fabs) <= 1e-4 * (a | fabs);
  [inputs] | ([.[].cells] | unique | length) == 1 and all(.seconds > 0 and .predicted_seconds > 0 and .work_seconds > 0 and
    near(.pairs_per_second; .pairs / .seconds) and near(.gcups; .cells / .seconds / 1e9)) and
  .[0].gain_percent == 0' batch.json >/dev/null || fail "figures that do not fit: $(cat batch.json)"
python3 -c 'import xml.dom.minidom, sys; xml.dom.minidom.parse(sys.argv[1])' line.svg || fail "no picture"
grep -q '<title>1 pairs from ' line.svg || fail "nobody did anything"
clalign bench --quiet --batch 5 --repeat 1 --full --modes global --relation related | grep -Eo '^(schedule|fcfs|static|toss|model)'
